#pragma once

#include "core/base/json.h"
#include "core/trace/fields/field_value.h"

#include <span>
#include <string>

namespace helio {

/// A field as JSON: integers exactly, enumerations as {"value":N,"labels":[...]}, structures as objects, arrays as arrays; null where the
/// packet's end cut it off.
void writeJson(JsonWriter& json, const FieldValue& value);

/// An object; of members with one name the last counts.
void writeJson(JsonWriter& json, std::span<const NamedValue> members);

/// `k=v;k=v`; in keys and values `;`, `=` and `\` are escaped with `\`.
void appendDetails(std::string& out, std::span<const NamedValue> members);

/// A key or a value of such details.
void appendEscaped(std::string& out, std::string_view text);

/// `k = v, k = v` for people; text in double quotes.
void appendReadable(std::string& out, std::span<const NamedValue> members);

} // namespace helio
