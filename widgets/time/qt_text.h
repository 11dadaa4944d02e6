#pragma once

#include <QString>

#include <string_view>

namespace helio {

/// The core's UTF-8 as the window has it.
inline QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), qsizetype(utf8.size())); }

} // namespace helio
