#include "core/xml_analysis/reading/encoding.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <iconv.h>
#include <strings.h>
#include <utility>

namespace helio::xml {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t LongestName = 40;
constexpr std::string_view NameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:";

struct Encoding {
    std::string name;
    std::size_t begin = 0; ///< Offset after the byte order mark.
};

/// Returns the encoding in the XML declaration; empty if there is none.
std::string_view declaredIn(std::string_view bytes)
{
    if (!bytes.starts_with("<?xml"))
        return {};
    const std::string_view declaration = bytes.substr(0, bytes.find("?>"));
    constexpr std::string_view Attribute = "encoding";
    std::size_t at = declaration.find(Attribute);
    if (at == std::string_view::npos)
        return {};
    at = declaration.find_first_of("\"'", at + Attribute.size());
    if (at == std::string_view::npos)
        return {};
    const std::size_t end = declaration.find(declaration[at], at + 1);
    return end == std::string_view::npos ? std::string_view() : declaration.substr(at + 1, end - at - 1);
}

/// True for encodings with two or four bytes per character. The declaration was read as single bytes, so the text cannot
/// have such an encoding, whatever it declares.
bool isWide(std::string_view name)
{
    constexpr std::array Wide{"utf-16"sv, "utf16"sv, "utf-32"sv, "utf32"sv, "ucs"sv, "iso-10646"sv, "csucs"sv, "csunicode"sv, "unicode"sv};
    return std::ranges::any_of(
        Wide, [name](std::string_view it) { return name.size() >= it.size() && ::strncasecmp(name.data(), it.data(), it.size()) == 0; });
}

Encoding encodingOf(std::string_view bytes)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> Marks{
        {{"\xef\xbb\xbf"sv, "UTF-8"sv}, {"\xff\xfe"sv, "UTF-16LE"sv}, {"\xfe\xff"sv, "UTF-16BE"sv}}};
    for (const auto& [mark, name] : Marks)
        if (bytes.starts_with(mark))
            return {std::string(name), mark.size()};
    if (bytes.starts_with("<\0"sv))
        return {"UTF-16LE", 0};
    if (bytes.starts_with("\0<"sv))
        return {"UTF-16BE", 0};
    const std::string_view declared = declaredIn(bytes);
    return {declared.empty() || isWide(declared) ? "UTF-8" : std::string(declared), 0};
}

/// Owner of an iconv descriptor.
class Converter {
public:
    explicit Converter(const std::string& from)
        : m_to(from.size() <= LongestName && from.find_first_not_of(NameCharacters) == std::string::npos
                   ? ::iconv_open("UTF-8", from.c_str())
                   : Closed)
    {
    }
    ~Converter()
    {
        if (isOpen())
            ::iconv_close(m_to);
    }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    bool isOpen() const { return m_to != Closed; }
    /// Returns false if the bytes do not continue in the encoding.
    bool append(std::string_view bytes, std::string& out)
    {
        std::array<char, 8192> some;
        char* in = const_cast<char*>(bytes.data()); // iconv() only reads it.
        for (std::size_t left = bytes.size(); left > 0;) {
            char* to = some.data();
            std::size_t room = some.size();
            const bool isDone = ::iconv(m_to, &in, &left, &to, &room) != static_cast<std::size_t>(-1);
            const int error = errno;
            out.append(some.data(), some.size() - room);
            if (!isDone && error != E2BIG)
                return false;
        }
        return true;
    }

private:
    static inline const iconv_t Closed = reinterpret_cast<iconv_t>(-1);
    const iconv_t m_to;
};

} // namespace

Decoded toUtf8(std::string_view bytes)
{
    const Encoding encoding = encodingOf(bytes);
    Converter converter(encoding.name);
    Decoded decoded;
    if (!converter.isOpen()) {
        decoded.fault = "its encoding, \"" + encoding.name.substr(0, LongestName) + "\", is not known";
        return decoded;
    }
    decoded.text.reserve(bytes.size());
    if (!converter.append(bytes.substr(encoding.begin), decoded.text))
        decoded.fault = "what follows is not " + encoding.name;
    return decoded;
}

} // namespace helio::xml
