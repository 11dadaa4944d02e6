#pragma once

#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/running/attribute_marks.h"

#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Finds what a view's attributes are: those of constant names, and those whose last name is the value of another attribute (a query). The
/// first value that is a whole number or a text is the name: a row does not become another one later. One thread.
class ViewAttributes {
public:
    /// Both outlive it.
    ViewAttributes(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_paths(paths)
    {
    }

    /// Calls `found` for the attribute seen from `base`, at once or later. `attribute` outlives it.
    void watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found);
    /// An attribute got another value.
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
    std::unordered_map<Quark, std::vector<Waiting>> m_waiting; ///< For a value of the attribute.
    AttributeMarks m_isAsked; ///< Those in m_waiting.
};

} // namespace helio::xml
