"""The segment crawler (Suebchua 2014): whole website segments are begun and dropped by what their links promise."""
