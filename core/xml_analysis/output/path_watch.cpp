#include "core/xml_analysis/output/path_watch.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <re2/re2.h>

namespace helio::xml {
namespace {

/// A name of a path with "$1", "$2" and so on replaced by the texts of the wildcards with these numbers.
struct Filled {
    std::string plain;
    std::string expression; ///< Regular expression of the name; each "*" is a capturing group.
    bool isPlain = true; ///< True if the name has no special characters of regular expressions.
};

Filled filled(std::string_view name, const Wildcards& wildcards)
{
    // Limit of the length of the resulting text. A name that becomes longer, for example because "$1" occurs thousands of times, is cut and
    // matches no attribute.
    constexpr std::size_t MostText = 4096;
    Filled all;
    for (std::size_t i = 0; i < name.size() && all.plain.size() < MostText; ++i) {
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(name.data() + i + 1, name.data() + name.size(), number);
        if (name[i] == '$' && error == std::errc() && number >= 1 && number <= wildcards.size()) {
            all.plain += wildcards[number - 1];
            all.expression += RE2::QuoteMeta(wildcards[number - 1]);
            i = static_cast<std::size_t>(end - name.data()) - 1;
            continue;
        }
        all.isPlain = all.isPlain && std::string_view("\\^$.|?*+()[]{}").find(name[i]) == std::string_view::npos;
        all.plain += name[i];
        all.expression += name[i] == '*' ? std::string("(.*)") : std::string(1, name[i]);
    }
    return all;
}

} // namespace

/// A name of a path: a literal, or a compiled regular expression.
class PathWatch::Name {
public:
    Name(std::string_view name, const Wildcards& wildcards, bool isLiteral)
        : m_isAny(name == "*" && !isLiteral)
        , m_text(name)
    {
        if (m_isAny || isLiteral)
            return;
        Filled all = filled(name, wildcards);
        m_text = std::move(all.plain);
        if (all.isPlain)
            return;
        RE2::Options options(RE2::Quiet);
        options.set_max_mem(1 << 16);
        m_expression.emplace(all.expression, options);
    }

    /// Returns the cost, in steps, of a comparison with a name of `size` bytes.
    std::size_t steps(std::size_t size) const
    {
        return 1 + (m_expression ? 100 + size * static_cast<std::size_t>(std::max(m_expression->ProgramSize(), 0)) / 64 : 0);
    }
    /// True if the name matches; the texts that its "*" matched are appended to `wildcards`.
    bool fits(std::string_view name, Wildcards& wildcards) const
    {
        if (m_isAny) {
            wildcards.emplace_back(name);
            return true;
        }
        if (!m_expression || !m_expression->ok())
            return name == m_text;
        const auto groups = static_cast<std::size_t>(m_expression->NumberOfCapturingGroups());
        std::vector<re2::StringPiece> found(groups + 1);
        const re2::StringPiece text(name.data(), name.size());
        if (!m_expression->Match(text, 0, name.size(), RE2::ANCHOR_BOTH, found.data(), static_cast<int>(found.size())))
            return false;
        for (std::size_t i = 1; i <= groups; ++i)
            wildcards.emplace_back(found[i].data(), found[i].size());
        return true;
    }

private:
    bool m_isAny;
    std::string m_text;
    std::optional<RE2> m_expression;
};

void PathWatch::watch(Quark base, std::vector<std::string> path, Wildcards wildcards, Found found)
{
    begin(base,
          {std::make_shared<const std::vector<std::string>>(std::move(path)), 0, false, nullptr, std::move(wildcards), std::move(found)});
}

void PathWatch::watchNames(Quark base, std::vector<std::string> names, Found found)
{
    begin(base, {std::make_shared<const std::vector<std::string>>(std::move(names)), 0, true, nullptr, {}, std::move(found)});
}

void PathWatch::begin(Quark base, WatchedPath way)
{
    const bool isThere = way.at == way.path->size();
    if (isThere ? m_found == MostFound : m_ways == MostWays) {
        ++m_refused;
        return;
    }
    if (isThere) {
        ++m_found;
        return way.found(base, way.wildcards);
    }
    ++m_ways;
    way.name = std::make_shared<const Name>((*way.path)[way.at], way.wildcards, way.isLiteral);
    const auto shared = std::make_shared<const WatchedPath>(std::move(way));
    m_watchedChildren[base].push_back(shared);
    m_tree.effort().take();
    for (Quark child = m_tree.firstChild(base); child != NoQuark; child = m_tree.nextSibling(child))
        tryOne(*shared, child);
}

void PathWatch::tryOne(const WatchedPath& way, Quark child)
{
    m_tree.effort().take(way.name->steps(m_tree.texts()[m_tree.name(child)].size()));
    Wildcards wildcards = way.wildcards;
    if (way.name->fits(m_tree.texts()[m_tree.name(child)], wildcards))
        begin(child, {way.path, way.at + 1, way.isLiteral, nullptr, std::move(wildcards), way.found});
}

void PathWatch::onNew(Quark attribute)
{
    const auto found = m_watchedChildren.find(m_tree.parent(attribute));
    if (found == m_watchedChildren.end())
        return;
    const auto ways = found->second; // Copy the list, because the callback for a found attribute may add watches, which changes the list.
    for (const auto& way : ways)
        tryOne(*way, attribute);
}

} // namespace helio::xml
