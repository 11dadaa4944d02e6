#pragma once

#include "core/query/rows/timeline_access.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace helio {

/// Looks and palette of a state set, made once per theme.
struct LaneAppearance {
    StateLooks looks;
    StackOrder order; ///< Stacking order of `looks`.
    LanePalette palette;
    /// For rows of call stacks: which calls are hidden or faded, and whether calls are coloured by function or by module.
    FrameChoice frames;

    StackedLooks stacked() const { return {looks, order}; }
};

class LaneStyles {
public:
    explicit LaneStyles(const Theme& theme)
        : m_theme(theme)
    {
    }

    /// Returns the appearance of a state set. If `second` is given, its states are appended, beginning at index SecondKindStates. Calls
    /// with equal sets return the same object until the theme, setFocus() or setFrames() changes the appearance. Sets with the same id are
    /// not equal if a file with their colours was changed or if traces added states. `isSampled`: true if only samples were recorded;
    /// unknown states between samples are then drawn as a thin line.
    const std::shared_ptr<const LaneAppearance>& of(const StateSet& set, const StateSet* second = nullptr, bool isSampled = false)
    {
        return known(set, second, isSampled).look;
    }
    /// Returns the appearance of a row; if `sources` has rows of two kinds, the appearance has the states of both.
    const std::shared_ptr<const LaneAppearance>& of(const Timeline& timeline, TrackRef row, const LaneSources* sources,
                                                    bool isSampled = false);

    /// Fades all states except those with the legend text `legend`; an empty text fades none.
    void setFocus(const QString& legend)
    {
        m_focus = legend;
        m_known.clear();
    }
    const QString& focus() const { return m_focus; }

    /// Sets which calls are hidden or faded, and whether calls are coloured by function or by module.
    void setFrames(FrameChoice frames)
    {
        m_frames = std::move(frames);
        m_known.clear();
    }
    const FrameChoice& frames() const { return m_frames; }

private:
    struct CachedStyle {
        StateSet set;
        std::optional<StateSet> second;
        bool isSampled = false;
        std::shared_ptr<const LaneAppearance> look;
        RowStates row{}; ///< States of the row that last used this style; a cache that speeds up the lookup.
        RowStates secondRow{};

        bool isOf(const StateSet& its, const StateSet* other, bool isOfSamples) const
        {
            return isSampled == isOfSamples && second.has_value() == (other != nullptr) && set == its && (!other || *second == *other);
        }
    };
    CachedStyle& known(const StateSet& set, const StateSet* second, bool isSampled);

    Theme m_theme;
    QString m_focus;
    FrameChoice m_frames;
    std::unordered_multimap<std::string, CachedStyle> m_known; ///< Cached styles by id of the state set.
};

} // namespace helio
