#include "core/symbol/tables/text_symbols.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

namespace helio {

namespace {

constexpr std::size_t MaxBytes = std::size_t{512} << 20;

/// Reads eight hexadecimal digits at once, as bytes of a word. Returns false if a character is no digit.
bool readEightDigits(const char* text, std::uint64_t& value)
{
    constexpr std::uint64_t Each = 0x0101010101010101;
    std::uint64_t digits = 0;
    std::memcpy(&digits, text, sizeof(digits));
    const std::uint64_t letters = digits >> 6 & Each;
    const std::uint64_t nibbles = (digits & 0x0f * Each) + letters * 9;
    const std::uint64_t aboveNine = (nibbles + 0x76 * Each) >> 7 & Each;
    const std::uint64_t again = nibbles + '0' * Each + letters * ('a' - '0' - 10);
    if (aboveNine != letters || (nibbles & 0x10 * Each) != 0 || again != (digits | letters * 0x20))
        return false;
    std::uint64_t joined = __builtin_bswap64(nibbles);
    joined = (joined | joined >> 4) & 0x00ff00ff00ff00ff;
    joined = (joined | joined >> 8) & 0x0000ffff0000ffff;
    value = (joined | joined >> 16) & 0xffffffff;
    return true;
}

/// Reads the digits at the front, one by one, and returns their number.
std::size_t readDigits(std::string_view text, std::uint64_t& value)
{
    value = 0;
    std::size_t count = 0;
    for (; count < text.size() && count <= 16; ++count) {
        const auto c = static_cast<unsigned char>(text[count]);
        const unsigned letter = (c | 0x20U) - 'a';
        if (c - unsigned{'0'} < 10)
            value = value << 4 | (c - unsigned{'0'});
        else if (letter < 6)
            value = value << 4 | (letter + 10);
        else
            break;
    }
    return count;
}

/// Removes a hexadecimal number and the blanks after it from the front. kallsyms has 200,000 of them, all with 16 digits, and reading it
/// takes much of the time for naming a small recording.
bool takeHex(std::string_view& line, std::uint64_t& value)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    std::size_t at = 16;
    std::uint64_t low = 0;
    const bool isUsual = std::endian::native == std::endian::little && line.size() > 16 && line[16] == ' '
        && readEightDigits(line.data(), value) && readEightDigits(line.data() + 8, low);
    if (isUsual)
        value = value << 32 | low;
    else
        at = readDigits(line, value);
    if (at == 0 || at > 16 || at == line.size() || line[at] != ' ')
        return false;
    while (at < line.size() && line[at] == ' ')
        ++at;
    line.remove_prefix(at);
    return true;
}

template <typename OnLine> void forEachLine(std::string_view text, OnLine onLine)
{
    while (!text.empty()) {
        const void* const found = std::memchr(text.data(), '\n', text.size());
        const std::size_t end = found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : text.size();
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        onLine(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// True for the types of code and data in kallsyms.
bool isTypeOfInterest(char type)
{
    switch (type | 0x20) {
    case 't':
    case 'w':
    case 'd':
    case 'b': return true;
    default: return false;
    }
}

/// Returns the length of the name.
std::size_t blankAfter(std::string_view name)
{
    for (const char blank : {'\t', ' '})
        if (const void* const found = name.empty() ? nullptr : std::memchr(name.data(), blank, name.size()))
            name = name.substr(0, static_cast<std::size_t>(static_cast<const char*>(found) - name.data()));
    return name.size();
}

SymbolTable::Binding bindingOf(char type)
{
    if (type == 'W' || type == 'w')
        return SymbolTable::Binding::Weak;
    return type >= 'A' && type <= 'Z' ? SymbolTable::Binding::Global : SymbolTable::Binding::Local;
}

/// Keeps the symbols that give the kernel's address and size.
void keepBound(TextSymbols& symbols, std::string_view name, std::uint64_t address)
{
    if (name == "_text")
        symbols.textAddress = address;
    else if (name == "_stext")
        symbols.stextAddress = address;
    else if (name == "_etext")
        symbols.etextAddress = address;
    else if (name == "_edata")
        symbols.edataAddress = address;
}

} // namespace

TextSymbols kallsymsFrom(std::string text)
{
    TextSymbols result;
    const auto owner = std::make_shared<const std::string>(std::move(text));
    bool hasLines = false, hasAddress = false;
    forEachLine(*owner, [&](std::string_view line) {
        std::uint64_t address = 0;
        if (!takeHex(line, address) || line.size() < 3 || line[1] != ' ')
            return;
        hasLines = true;
        hasAddress = hasAddress || address != 0;
        const char type = line[0];
        if (!isTypeOfInterest(type))
            return;
        const std::string_view rest = line.substr(2);
        const std::size_t blank = blankAfter(rest);
        const std::string_view name = rest.substr(0, blank);
        if (name.starts_with('_') && blank == rest.size())
            keepBound(result, name, address);
        if (!name.empty() && name[0] != '$')
            result.table.add(address, 0, name, bindingOf(type), blank < rest.size());
    });
    result.isHidden = hasLines && !hasAddress;
    if (result.isHidden)
        result.table = {};
    result.table.hold(owner);
    result.table.finish(SymbolTable::Ends::AtNextInSameModule);
    return result;
}

TextSymbols perfMapFrom(std::string text)
{
    TextSymbols result;
    const auto owner = std::make_shared<const std::string>(std::move(text));
    forEachLine(*owner, [&](std::string_view line) {
        std::uint64_t begin = 0, size = 0;
        if (takeHex(line, begin) && takeHex(line, size) && !line.empty())
            result.table.add(begin, size, line, SymbolTable::Binding::Global);
    });
    result.table.hold(owner);
    result.table.finish();
    return result;
}

Result<std::string> textOf(const std::filesystem::path& path)
{
    std::error_code ignored;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, ignored))
        return Error{Error::Kind::NotFound, path.string() + ": cannot be read"};
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    while (text.size() < MaxBytes && (in.read(part.data(), static_cast<std::streamsize>(part.size())), in.gcount() > 0))
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    return text;
}

} // namespace helio
