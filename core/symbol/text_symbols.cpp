#include "core/symbol/text_symbols.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace helio {

namespace {

constexpr std::size_t MaxBytes = std::size_t{512} << 20;

/// Takes a hexadecimal number and the blanks after it off the front. Written out: kallsyms has 200,000 of them, and its reading is most of
/// what naming a small recording costs.
bool takeHex(std::string_view& line, std::uint64_t& value)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    value = 0;
    std::size_t at = 0;
    for (; at < line.size() && at <= 16; ++at) {
        const auto c = static_cast<unsigned char>(line[at]);
        const unsigned letter = (c | 0x20U) - 'a';
        if (c - unsigned{'0'} < 10)
            value = value << 4 | (c - unsigned{'0'});
        else if (letter < 6)
            value = value << 4 | (letter + 10);
        else
            break;
    }
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

/// The types of code and data in kallsyms.
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

/// Where the name ends.
std::size_t blankAfter(std::string_view name)
{
    std::size_t at = 0;
    while (at < name.size() && name[at] != '\t' && name[at] != ' ')
        ++at;
    return at;
}

SymbolTable::Binding bindingOf(char type)
{
    if (type == 'W' || type == 'w')
        return SymbolTable::Binding::Weak;
    return type >= 'A' && type <= 'Z' ? SymbolTable::Binding::Global : SymbolTable::Binding::Local;
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
        if (name == "_text")
            result.textAddress = address;
        if (name == "_stext")
            result.stextAddress = address;
        if (!name.empty() && name[0] != '$')
            result.table.add(address, 0, name, bindingOf(type), blank < rest.size());
    });
    result.isHidden = hasLines && !hasAddress;
    if (result.isHidden)
        result.table = {};
    result.table.hold(owner);
    result.table.finish(SymbolTable::Ends::AtNextOfSameKind);
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
