#include "core/trace/tracepoint/kernel_functions.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <charconv>

namespace helio::tracepoint {

KernelFunctions::KernelFunctions(std::string_view text)
{
    text::LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
        Function function;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), function.address, 16);
        line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
        const std::string_view type = text::takeWord(line);
        function.name = text::takeWord(line);
        // In kallsyms, the symbol types t, T, w and W mean functions. The address is 0 if the kernel hides addresses from unprivileged
        // users.
        if (parsed.ec == std::errc() && function.address != 0 && type.size() == 1 && std::string_view("tTwW").find(type) != type.npos
            && !function.name.empty())
            m_functions.push_back(function);
    }
    std::ranges::stable_sort(m_functions, {}, &Function::address);
}

std::string_view KernelFunctions::find(std::uint64_t address) const
{
    const auto after = std::ranges::upper_bound(m_functions, address, {}, &Function::address);
    return after == m_functions.begin() ? std::string_view() : std::prev(after)->name;
}

} // namespace helio::tracepoint
