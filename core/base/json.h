#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Appends `text` as a quoted JSON string. A byte that is not UTF-8 becomes \xNN in the string's value (\\xNN in the JSON text).
void appendJson(std::string& out, std::string_view text);

/// Writes compact UTF-8 JSON to a text. Integers of 64 bits are exact; a float without a JSON form is written as "NaN", "Infinity" or
/// "-Infinity". Strings are escaped as by appendJson(). The writer stores only the nesting levels, not the values.
/// Threads: to be used by one thread at a time.
class JsonWriter {
public:
    explicit JsonWriter(std::string& out)
        : m_out(out)
    {
    }

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }

    JsonWriter& key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth);
    void value(double number);
    void value(std::int64_t number);
    void value(std::uint64_t number);
    void value(std::int32_t number) { value(std::int64_t(number)); }
    void value(std::uint32_t number) { value(std::uint64_t(number)); }
    void null();
    /// Appends `json`, a value that is already JSON text, unchanged.
    void written(std::string_view json);

    template <typename T> void member(std::string_view name, const T& v) { key(name).value(v); }
    /// Writes null if `number` is nullopt.
    void member(std::string_view name, std::optional<double> number)
    {
        key(name);
        number ? value(*number) : null();
    }

private:
    void separate();
    void open(char bracket);
    void close(char bracket);

    std::string& m_out;
    std::vector<bool> m_hasElements; ///< For each open object or array, outermost first: true if an element was written.
    bool m_isAfterKey = false;
};

} // namespace helio
