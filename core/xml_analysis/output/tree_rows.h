#pragma once

#include "core/xml_analysis/output/any_values.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <string>
#include <vector>

namespace helio::xml {

/// Returns the names from the root to an attribute, joined by "/". A "/" in a name is written as "\/".
std::string pathOf(const AttributeTree& tree, Quark attribute);

/// Writes the attributes of a tree as rows of a view, one row for each attribute, with the attribute's path as id and its values as states.
/// Threads: to be used by one thread.
class TreeRows {
public:
    /// `view` is the analysis's id.
    /// Ownership: the other arguments outlive the object.
    TreeRows(std::string view, const AttributeTree& tree, AnyValues& values, StateSink& sink);

    void onNew(Quark attribute);
    /// Returns false if the value could not be stored.
    bool onChange(HostTimestamp from, Quark attribute, const Value& value);

    /// Returns the row of an attribute; NoTrack for the root.
    TrackId trackOf(Quark attribute) const { return m_tracks[attribute]; }

private:
    const std::string m_view;
    const AttributeTree& m_tree;
    AnyValues& m_values;
    StateSink& m_sink;
    StateSetId m_states;
    std::vector<TrackId> m_tracks{NoTrack}; ///< Row of each attribute, indexed by attribute; NoTrack for the root.
    std::vector<char> m_hasStates{0}; ///< Indexed by attribute: 1 if the attribute had a value.
};

} // namespace helio::xml
