#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Texts that the "*" in a path matched, from the root on.
using Wildcards = std::vector<std::string>;

/// Finds the attributes to which paths lead. Reports an existing attribute at once and a later attribute when it is created; each attribute
/// is reported once. A name in a path is a regular expression for the whole name, in which "*" matches any text and "$1" is the text that
/// the first "*" on the path matched.
/// Threads: to be used by one thread.
/// Cost: a few ns for a new attribute whose parent no path watches.
class PathWatch {
public:
    using Found = std::function<void(Quark, const Wildcards&)>;

    explicit PathWatch(const AttributeTree& tree)
        : m_tree(tree)
    {
    }

    /// Calls `found` for each attribute that the path leads to, starting at `base`: at once for existing attributes, later for
    /// attributes that are added to the tree. An empty path leads to `base` itself.
    void watch(Quark base, std::vector<std::string> path, Wildcards wildcards, Found found);
    /// Like watch(), but the names are literal, not regular expressions.
    void watchNames(Quark base, std::vector<std::string> names, Found found);
    void onNew(Quark attribute);

    /// Number of attributes that were ignored because they exceeded the limits for found or watched attributes.
    std::size_t refused() const { return m_refused; }

private:
    class Name;
    struct WatchedPath {
        std::shared_ptr<const std::vector<std::string>> path;
        std::size_t at = 0; ///< Index of the next name in the path.
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
        m_watchedChildren; ///< Paths that wait for new children of an attribute, by attribute.
};

} // namespace helio::xml
