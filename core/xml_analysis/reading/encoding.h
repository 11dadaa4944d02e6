#pragma once

#include <string>
#include <string_view>

namespace helio::xml {

/// A text as UTF-8, without its byte order mark.
struct Decoded {
    std::string text; ///< What comes before the fault, if there is one.
    std::string fault; ///< "it is not UTF-8"; empty: none.
};

/// Turns an XML file's bytes into UTF-8. Their encoding is that of their byte order mark, else that of the XML declaration, else UTF-8 (XML
/// 1.0, appendix F). Cost: linear, memory of about twice the text.
Decoded toUtf8(std::string_view bytes);

} // namespace helio::xml
