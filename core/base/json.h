#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Appends a JSON string with its quotes. Bytes that are not UTF-8 appear as \xNN in the string's value (\\xNN in the text).
void appendJson(std::string& out, std::string_view text);

/// Appends JSON to a text: compact, UTF-8, integers of 64 bits exactly, "NaN", "Infinity" and "-Infinity" for floats that have no JSON.
/// Strings are those of appendJson(). Keeps
/// the nesting, not the values. Threads: to be used by one thread at a time.
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
    /// Appends a value that is JSON already.
    void written(std::string_view json);

    template <typename T> void member(std::string_view name, const T& v) { key(name).value(v); }
    /// Null where it has none.
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
    std::vector<bool> m_hasElements; ///< One element per level.
    bool m_isAfterKey = false;
};

} // namespace helio
