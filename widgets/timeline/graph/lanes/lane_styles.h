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

/// Look and palette of a state set. Made once per theme.
struct LaneAppearance {
    StateLooks looks;
    StackOrder order; ///< Order of `looks`.
    LanePalette palette;
    FrameChoice frames; ///< Filter and colours of calls, for rows of call stacks.

    StackedLooks stacked() const { return {looks, order}; }
};

class LaneStyles {
public:
    explicit LaneStyles(const Theme& theme)
        : m_theme(theme)
    {
    }

    /// Returns the look of a state set; the states of `second`, if given, follow from index SecondKindStates on. Equal sets get the same
    /// object until theme, focus or frames change. Two sets with the same id differ if a file with their colours was changed, or if traces
    /// added other states. `isSampled` means that only samples are known: unknown states between them are then drawn as a thin line.
    const std::shared_ptr<const LaneAppearance>& of(const StateSet& set, const StateSet* second = nullptr, bool isSampled = false)
    {
        return known(set, second, isSampled).look;
    }
    /// Returns the look of a row; if `sources` has rows of two kinds, the look has the states of both.
    const std::shared_ptr<const LaneAppearance>& of(const Timeline& timeline, TrackRef row, const LaneSources* sources,
                                                    bool isSampled = false);

    /// Fades all states except those with this legend text; empty fades none.
    void setFocus(const QString& legend)
    {
        m_focus = legend;
        m_known.clear();
    }
    const QString& focus() const { return m_focus; }

    /// Sets which calls are shown, and their colours.
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
        RowStates row{}; ///< States of the last row that had this look; they speed up the search.
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
    std::unordered_multimap<std::string, CachedStyle> m_known; ///< Key: id of the state set.
};

} // namespace helio
