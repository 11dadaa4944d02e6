#include "core/trace/tracepoint/kernel_functions.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <charconv>

namespace helio::tracepoint {

namespace {

/// A line "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME [MODULE]" of kallsyms.
struct KernelSymbol {
    std::uint64_t address = 0;
    std::string_view name;
    std::string_view module; ///< Name of the kernel module in brackets; empty for symbols of the kernel itself.
    bool isFunction = false;
};

/// True for the names of marks at the end of the kernel's code.
bool isEndMark(std::string_view name) { return name == "_etext" || name == "_einittext" || name == "_end"; }

constexpr std::uint64_t PageBytes = 4096;

} // namespace

KernelFunctions::KernelFunctions(std::string_view text)
{
    std::vector<KernelSymbol> symbols;
    text::LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
        KernelSymbol symbol;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), symbol.address, 16);
        line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
        const std::string_view type = text::takeWord(line);
        symbol.name = text::takeWord(line);
        symbol.module = text::takeWord(line);
        // In kallsyms, the symbol types t, T, w and W mean functions, and a and A are no addresses. The address is 0 if the kernel hides
        // addresses from unprivileged users.
        if (parsed.ec != std::errc() || symbol.address == 0 || type.size() != 1 || type == "a" || type == "A" || symbol.name.empty())
            continue;
        symbol.isFunction = std::string_view("tTwW").find(type) != type.npos && !isEndMark(symbol.name);
        symbols.push_back(symbol);
    }
    std::ranges::stable_sort(symbols, {}, &KernelSymbol::address);
    for (std::size_t i = 0, next = 0; i < symbols.size(); ++i) {
        const KernelSymbol& symbol = symbols[i];
        while (next < symbols.size() && symbols[next].address <= symbol.address)
            ++next;
        const bool isLast = next == symbols.size() || symbols[next].module != symbol.module;
        if (symbol.isFunction)
            m_functions.push_back({symbol.address,
                                   isLast ? symbol.address + std::min(PageBytes - 1, ~symbol.address) : symbols[next].address - 1,
                                   symbol.name});
    }
}

std::string_view KernelFunctions::find(std::uint64_t address) const
{
    const auto after = std::ranges::upper_bound(m_functions, address, {}, &Function::address);
    return after == m_functions.begin() || address > std::prev(after)->last ? std::string_view() : std::prev(after)->name;
}

} // namespace helio::tracepoint
