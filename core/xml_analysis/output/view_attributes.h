#pragma once

#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/running/attribute_marks.h"

#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Finds the attributes that a view reads: those with constant names, and those with the value of another attribute as their last name (a
/// query). The first value that is an integer or a text is the name; later values do not count, because a row does not become another row.
/// Threads: to be used by one thread.
class ViewAttributes {
public:
    /// Ownership: both arguments outlive the object.
    ViewAttributes(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_paths(paths)
    {
    }

    /// Calls `found` for the attribute seen from `base`, at once or later.
    /// Ownership: `attribute` outlives the object.
    void watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found);
    /// Called when an attribute gets another value.
    void onChange(Quark attribute, const Value& value)
    {
        if (m_isAsked.has(attribute))
            takeName(attribute, value);
    }

private:
    struct Waiting {
        const ViewAttribute* attribute;
        Quark base;
        PathWatch::Found found;
    };
    static bool isName(const Value& value) { return value.isInteger() || value.isText(); }
    void goOn(const Waiting& waiting, const Value& name);
    void takeName(Quark attribute, const Value& value);

    const AttributeTree& m_tree;
    PathWatch& m_paths;
    std::unordered_map<Quark, std::vector<Waiting>> m_waiting; ///< Watches that wait for a value, by attribute.
    AttributeMarks m_isAsked; ///< Attributes in m_waiting.
};

} // namespace helio::xml
