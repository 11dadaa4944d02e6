#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Texts that the "*" of a path stand for, from the root on.
using Wildcards = std::vector<std::string>;

/// Finds the attributes that paths lead to: existing attributes at once, later ones when they are made, each once. A name in a path is a
/// regular expression for the whole name, in which "*" is any text and "$1" is what the first "*" on the way stands for.
/// Threads: to be used by one thread.
/// Cost: a few ns for an attribute below which no path is watched.
class PathWatch {
public:
    using Found = std::function<void(Quark, const Wildcards&)>;

    explicit PathWatch(const AttributeTree& tree)
        : m_tree(tree)
    {
    }

    /// Calls `found` for each attribute that the path leads to from `base`, at once and later. An empty path leads to `base` itself.
    void watch(Quark base, std::vector<std::string> path, Wildcards wildcards, Found found);
    /// Like watch(), but the names are not regular expressions.
    void watchNames(Quark base, std::vector<std::string> names, Found found);
    void onNew(Quark attribute);

    /// Number of attributes that were found, or had to be watched, beyond the limits, and were therefore ignored.
    std::size_t refused() const { return m_refused; }

private:
    class Name;
    struct WatchedPath {
        std::shared_ptr<const std::vector<std::string>> path;
        std::size_t at = 0; ///< Index of the name to look for in the path.
        bool isLiteral = false;
        std::shared_ptr<const Name> name;
        Wildcards wildcards;
        Found found;
    };
    void begin(Quark base, WatchedPath way);
    void tryOne(const WatchedPath& way, Quark child);

    static constexpr std::size_t MostFound = 250'000;
    static constexpr std::size_t MostWays = 500'000;

    const AttributeTree& m_tree;
    std::size_t m_found = 0;
    std::size_t m_ways = 0;
    std::size_t m_refused = 0;
    std::unordered_map<Quark, std::vector<std::shared_ptr<const WatchedPath>>>
        m_watchedChildren; ///< Paths that wait for children of an attribute.
};

} // namespace helio::xml
