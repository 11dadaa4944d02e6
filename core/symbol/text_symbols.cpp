#include "core/symbol/text_symbols.h"

#include <charconv>
#include <fstream>

namespace helio {

namespace {

constexpr std::size_t MaxBytes = std::size_t{512} << 20;

/// Takes a hexadecimal number and the blanks after it off the front.
bool takeHex(std::string_view& line, std::uint64_t& value)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (error != std::errc{} || end == line.data() + line.size() || *end != ' ')
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return true;
}

template <typename OnLine> void forEachLine(std::string_view text, OnLine onLine)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        onLine(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
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
        if (std::string_view("TtWwDdBb").find(type) == std::string_view::npos)
            return;
        const std::string_view rest = line.substr(2);
        const std::size_t tab = rest.find_first_of("\t ");
        const std::string_view name = rest.substr(0, tab);
        if (name == "_text")
            result.textAddress = address;
        if (name == "_stext")
            result.stextAddress = address;
        if (!name.empty() && name[0] != '$')
            result.table.add(address, 0, name, bindingOf(type), tab != std::string_view::npos);
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
