#pragma once

#include "core/xml_analysis/output/any_values.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <string>
#include <vector>

namespace helio::xml {

/// The names from the root to an attribute, joined by "/"; one inside a name is "\/".
std::string pathOf(const AttributeTree& tree, Quark attribute);

/// The attributes of a tree as the rows of a view: each under its path, with the values it had. One thread.
class TreeRows {
public:
    /// All of them outlive it. `view`: the analysis's id.
    TreeRows(std::string view, const AttributeTree& tree, AnyValues& values, StateSink& sink);

    void onNew(Quark attribute);
    /// False: the value could not be stored.
    bool onChange(HostTimestamp from, Quark attribute, const Value& value);

    /// The row of an attribute; NoTrack of the root.
    TrackId trackOf(Quark attribute) const { return m_tracks[attribute]; }

private:
    const std::string m_view;
    const AttributeTree& m_tree;
    AnyValues& m_values;
    StateSink& m_sink;
    StateSetId m_states;
    std::vector<TrackId> m_tracks{NoTrack}; ///< By attribute.
    std::vector<char> m_hasStates{0}; ///< The same: it was set at least once.
};

} // namespace helio::xml
