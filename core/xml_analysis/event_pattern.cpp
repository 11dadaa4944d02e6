#include "core/xml_analysis/event_pattern.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <re2/re2.h>

namespace helio::xml {
namespace {

RE2::Options quietly()
{
    RE2::Options options(RE2::Quiet);
    // Limit the memory in bytes: names are short, so a pattern that needs more memory is a mistake and takes long to compile.
    options.set_max_mem(1 << 16);
    return options;
}

constexpr std::string_view Compat = "compat_";
constexpr std::string_view Entry = "sys_";

/// Inserts `what` after "syscall_" or "compat_syscall_" in the name of a system call.
std::string named(const std::string& call, std::string_view what)
{
    const std::size_t at = call.find('_', call.starts_with(Compat) ? Compat.size() : 0) + 1;
    return call.substr(0, at) + std::string(what) + call.substr(at);
}

} // namespace

std::vector<std::string> eventPatterns(std::string_view text)
{
    // A "|" inside parentheses is part of a regular expression and does not separate alternatives.
    std::vector<std::string> patterns(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '|' && depth == 0)
            patterns.emplace_back();
        else if (c == '*')
            patterns.back() += ".*";
        else
            patterns.back() += c;
    }
    return patterns;
}

std::string findPatternFault(const std::string& pattern)
{
    const RE2 expression(pattern, quietly());
    return expression.ok() ? std::string() : expression.error();
}

/// One of the alternatives of a filter: a literal name or a regular expression.
class EventNameFilter::Pattern {
public:
    explicit Pattern(const std::string& text)
        : m_text(text)
        , m_expression(isPlain(text) ? nullptr : std::make_unique<const RE2>(text, quietly()))
    {
    }
    bool fits(std::string_view name) const
    {
        return m_expression ? RE2::FullMatch(re2::StringPiece(name.data(), name.size()), *m_expression) : name == m_text;
    }

private:
    static bool isPlain(const std::string& text) { return text.find_first_of("\\^$.|?*+()[]{}") == std::string::npos; }

    std::string m_text;
    std::unique_ptr<const RE2> m_expression;
};

EventNameFilter::EventNameFilter(const std::vector<std::string>& patterns)
{
    for (const std::string& pattern : patterns)
        m_patterns.emplace_back(pattern);
}

EventNameFilter::~EventNameFilter() = default;

bool EventNameFilter::fits(std::string_view name) const
{
    return m_patterns.empty() || std::ranges::any_of(m_patterns, [name](const Pattern& pattern) { return pattern.fits(name); });
}

EventTypeNames::EventTypeNames(const Trace& trace)
    : m_types(trace.eventTypes())
    , m_hasExitsWithoutCallNames(std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return type->name == "exit_syscall"; }))
{
    if (!m_hasExitsWithoutCallNames)
        return;
    for (std::size_t i = 0; i < m_types.size(); ++i) {
        const std::string call = entryCallName(EventTypeId(i));
        m_entries.push_back(call.empty() ? std::string() : named(call, "entry_"));
        if (!call.empty())
            m_exits.push_back(named(call, "exit_"));
    }
}

std::string EventTypeNames::entryCallName(EventTypeId type) const
{
    std::string_view name = nameOf(type);
    const bool isCompat = name.starts_with(Compat);
    if (isCompat)
        name.remove_prefix(Compat.size());
    if (!m_hasExitsWithoutCallNames || !name.starts_with(Entry) || name.size() == Entry.size())
        return {};
    return std::string(isCompat ? Compat : "") + "syscall_" + std::string(name.substr(Entry.size()));
}

bool EventTypeNames::isAnyFitting(const EventNameFilter& filter) const
{
    const auto fits = [&](const std::string& name) { return !name.empty() && filter.fits(name); };
    return std::ranges::any_of(m_types, [&](const auto& type) { return filter.fits(type->name); }) || std::ranges::any_of(m_entries, fits)
        || std::ranges::any_of(m_exits, fits);
}

std::vector<bool> EventTypeNames::fitting(const EventNameFilter& filter) const
{
    std::vector<bool> all;
    all.reserve(m_types.size());
    std::optional<bool> fitsExits;
    for (std::size_t i = 0; i < m_types.size(); ++i) {
        bool fits =
            filter.fits(nameOf(EventTypeId(i))) || (m_hasExitsWithoutCallNames && !m_entries[i].empty() && filter.fits(m_entries[i]));
        if (!fits && isExitWithoutCallName(EventTypeId(i))) {
            if (!fitsExits)
                fitsExits = std::ranges::any_of(m_exits, [&](const std::string& name) { return filter.fits(name); });
            fits = *fitsExits;
        }
        all.push_back(fits);
    }
    return all;
}

std::vector<std::string> EventTypeNames::ofExit(EventTypeId exit, EventTypeId entry) const
{
    return {std::string(nameOf(exit)), named(entryCallName(entry), "exit_")};
}

} // namespace helio::xml
