#pragma once

#include "core/store/any_value.h"
#include "core/store/store.h"
#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/texts.h"

#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// Converts values of attributes to the contents of rows. The state's name is the type of the value; the state's value has ValueKind::Any.
/// Threads: to be used by one thread.
class AnyValues {
public:
    /// Ownership: both arguments must outlive the object.
    AnyValues(const Texts& texts, StateSink& sink)
        : m_texts(texts)
        , m_sink(sink)
    {
    }

    /// Adds a state set with the states int, long, double and string, in the order of typeState(); further states may be added later.
    /// `showsText`: true if bars show their values.
    StateSetId addSet(const std::string& id, const std::string& title, bool showsText);
    /// Returns the state that stands for the value's type (int, long, double or string): values that the view does not define are drawn in
    /// the state of their type. Requires: the value is not null.
    static State typeState(const Value& value) { return State(static_cast<std::uint8_t>(static_cast<int>(value.type()) - 1)); }

    /// Returns the stored form of a value; nullopt if the store's limit of numbers is reached. Requires: the value is not null.
    std::optional<std::uint32_t> store(const Value& value)
    {
        if (value.isInteger() && !hasUserNotation(value))
            if (const auto small = AnyValue::small(value.integer()))
                return small;
        return storeOther(value);
    }
    std::uint32_t storeText(std::string_view text);
    StringId stringOf(TextId text);

private:
    std::optional<std::uint32_t> storeOther(const Value& value);

    const Texts& m_texts;
    StateSink& m_sink;
    /// StringId of each text in the store, indexed by TextId; nullopt if the text is not stored yet.
    std::vector<std::optional<StringId>> m_strings;
};

/// Returns the names from the root to an attribute, joined by "/". A "/" within a name is escaped as "\/".
std::string pathOf(const AttributeTree& tree, Quark attribute);

/// Writes the attributes of a tree as rows of a view: one row per attribute, with the attribute's path as id and its values as states.
/// Threads: to be used by one thread.
class TreeRows {
public:
    /// `view` is the id of the view, which is the analysis's id.
    /// Ownership: the other arguments must outlive the object.
    TreeRows(std::string view, const AttributeTree& tree, AnyValues& values, StateSink& sink);

    void onNew(Quark attribute);
    /// Writes a new value of an attribute. Returns false if the value could not be stored.
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
    std::vector<char> m_hasStates{0}; ///< For each attribute, 1 if it has had a value, else 0.
};

} // namespace helio::xml
