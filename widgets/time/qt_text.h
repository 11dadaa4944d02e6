#pragma once

#include <QString>

#include <string_view>

namespace helio {

/// Converts UTF-8 text of the core to a QString.
inline QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), qsizetype(utf8.size())); }

} // namespace helio
