#pragma once

#include "core/store/links.h"
#include "core/store/states.h"
#include "widgets/theme/theme.h"

#include <string>
#include <string_view>

namespace helio {

class JsonWriter;

/// Colours and heights of states and arrows, in the form of the protocol. Clients look them up by key.
/// Immutable.
/// Threads: any.
class ChartStyles {
public:
    ChartStyles()
        : m_theme(Theme::make(Theme::Kind::Dark))
    {
    }

    /// Returns the key of a state's style.
    static std::string keyOf(const StateSet& set, State state);
    static std::string keyOf(const LinkKindInfo& kind) { return "link." + kind.id; }

    void writeState(JsonWriter& json, const StateSet& set, const StateKind& state) const; ///< Writes an object of style values.
    void writeLink(JsonWriter& json, const LinkKindInfo& kind) const; ///< Writes an object of style values.
    void writeHeight(JsonWriter& json, const StateKind& state) const; ///< Writes the member with the height of a state.
    std::string colorOf(const StateKind& state) const; ///< Returns the colour of a state as "#rrggbb".
    std::string colorOf(const LinkKindInfo& kind) const; ///< Returns the colour of an arrow as "#rrggbb".

    /// Returns a colour as "#rrggbb" that depends only on the text, for intervals that are coloured by value.
    std::string colorOf(std::string_view text) const;

private:
    Theme m_theme;
};

} // namespace helio
