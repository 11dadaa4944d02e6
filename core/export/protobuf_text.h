#pragma once

#include "core/base/utf8.h"

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>

namespace helio {

/// Appends a text field to a protobuf message. Readers reject messages with texts that are not UTF-8: a byte that is not part of a valid
/// character becomes \xNN, as in JSON.
inline void addText(protozero::pbf_writer& message, std::uint32_t field, std::string_view text)
{
    if (isUtf8(text))
        return message.add_string(field, text.data(), text.size());
    std::string valid;
    appendUtf8(valid, text);
    message.add_string(field, valid);
}

} // namespace helio
