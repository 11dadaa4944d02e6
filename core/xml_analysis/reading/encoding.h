#pragma once

#include <string>
#include <string_view>

namespace helio::xml {

/// A text as UTF-8, without its byte order mark.
struct Decoded {
    std::string text; ///< Text before the fault, if there is one.
    std::string fault; ///< Description, e.g. "what follows is not UTF-8"; empty if there is none.
};

/// Converts the bytes of an XML file to UTF-8. The encoding is given by the byte order mark, else by the XML declaration, else it is UTF-8
/// (XML 1.0, appendix F).
/// Cost: linear; takes memory of about twice the text.
Decoded toUtf8(std::string_view bytes);

} // namespace helio::xml
