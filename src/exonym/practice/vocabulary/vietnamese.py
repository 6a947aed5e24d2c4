"""Vietnamese: its words of two syllables are written with an underscore here and a space on pages."""

from exonym.practice.vocabulary.grammar import Vocabulary, words


def _spaced(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in words(text))


VIETNAMESE = Vocabulary(
    language="vi",
    nouns=_spaced(
        "đất_nước thành_phố ngôi_nhà trường_học đại_học khách_sạn thức_ăn cơm nước biển núi dòng_sông chùa "
        "con_đường xe_hơi tàu_hỏa máy_bay con_người trẻ_em phụ_nữ đàn_ông giáo_viên học_sinh bác_sĩ cảnh_sát "
        "chính_phủ pháp_luật tin_tức sách báo ngôn_ngữ bức_ảnh bài_hát thể_thao bóng_đá trò_chơi chợ cửa_hàng "
        "sản_phẩm giá_cả tiền ngân_hàng công_ty công_việc thời_gian ngày tháng năm buổi_sáng buổi_chiều ban_đêm "
        "thời_tiết mưa cây_cối bông_hoa động_vật con_ngựa con_mèo con_chó cá gà trái_cây quả_táo cà_phê trà "
        "bạn_bè gia_đình mẹ cha con_trai anh_trai em_gái cuộc_sống tình_yêu sức_khỏe bệnh_viện thuốc máy_tính "
        "điện_thoại trang_web thông_tin xã_hội văn_hóa lịch_sử kinh_tế giáo_dục du_lịch làng hòn_đảo bãi_biển "
        "con_thuyền cây_cầu khu_vườn cửa_sổ cái_bàn lá_thư câu_hỏi câu_trả_lời thế_giới thư_viện bảo_tàng sân_bay "
        "công_viên người_dân"
    ),
    verbs=_spaced(
        "đi đến ở là có làm ăn uống ngủ mua bán cho nhận thấy xem nghe nói đọc viết học dạy chơi đi_bộ chạy lái "
        "mở đóng bắt_đầu kết_thúc yêu thích muốn giúp nghĩ biết hiểu nhớ quên tìm sử_dụng xây_dựng thay_đổi gửi "
        "thăm làm_việc kể hỏi"
    ),
    modifiers=_spaced(
        "lớn nhỏ tốt đẹp mới cũ nóng lạnh nhanh chậm cao dài đắt rẻ dễ khó quan_trọng vui sạch trẻ sớm muộn"
    ),
    functions=_spaced(
        "và hoặc nhưng vì với từ của bởi cho khi nếu mà trong qua về giữa sau trước cũng không đã đang sẽ"
    ),
    patterns=(
        "những N A V N trong N",
        "có một N F N được V mỗi ngày",
        "chúng tôi đã thấy rằng N này V với N A",
        "một N của N V nhiều hơn các N khác",
        "đây không phải là N mà là N A để V N",
        "hôm nay người ta V N F N rất A",
    ),
)
