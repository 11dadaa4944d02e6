#pragma once

#include "core/store/any_value.h"
#include "core/store/store.h"
#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/texts.h"

#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// Converts values of attributes for rows: to states that name the type of a value, and to values of ValueKind::Any.
/// Threads: to be used by one thread.
class AnyValues {
public:
    /// Ownership: both arguments outlive the object.
    AnyValues(const Texts& texts, StateSink& sink)
        : m_texts(texts)
        , m_sink(sink)
    {
    }

    /// Adds a set with the states int, long, double and string, in the order of typeState(); more states may be added later. `showsText`:
    /// bars show their value.
    StateSetId addSet(const std::string& id, const std::string& title, bool showsText);
    /// Returns the state for the type of a value. Requires: the value is not null.
    static State typeState(const Value& value) { return State(static_cast<std::uint8_t>(static_cast<int>(value.type()) - 1)); }

    /// Returns the stored form of a value; nothing if the store cannot hold more numbers. Requires: the value is not null.
    std::optional<std::uint32_t> of(const Value& value)
    {
        if (value.isInteger() && !hasUserNotation(value))
            if (const auto small = AnyValue::small(value.integer()))
                return small;
        return ofOther(value);
    }
    std::uint32_t ofText(std::string_view text);
    StringId stringOf(TextId text);

private:
    std::optional<std::uint32_t> ofOther(const Value& value);

    const Texts& m_texts;
    StateSink& m_sink;
    std::vector<std::optional<StringId>> m_strings; ///< Indexed by TextId.
};

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
