#pragma once

#include "core/base/json.h"
#include "core/trace/fields/field_value.h"

#include <span>
#include <string>

namespace helio {

/// Writes a field as JSON: integers exactly, enumerations as {"value":N,"labels":[...]}, structures as objects, arrays as arrays; null if
/// the CTF packet ends before the field does.
void writeJson(JsonWriter& json, const FieldValue& value);

/// Writes members as a JSON object; of several members with the same name, only the last.
void writeJson(JsonWriter& json, std::span<const NamedValue> members);

/// Appends members as `k=v;k=v`; the characters `;`, `=` and `\` in keys and values are escaped with `\`.
void appendDetails(std::string& out, std::span<const NamedValue> members);

/// Appends members as `k = v, k = v` for text output; text values are in double quotes.
void appendReadable(std::string& out, std::span<const NamedValue> members);

} // namespace helio
