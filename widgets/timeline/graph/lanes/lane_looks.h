#pragma once

#include "core/query/rows/row_states.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace helio {

/// Looks and palette of a state set, made once a theme.
struct LaneLook {
    StateLooks looks;
    StackOrder order; ///< Of the looks.
    LanePalette palette;
    FrameChoice frames; ///< Of rows of call stacks.

    StackedLooks stacked() const { return {looks, order}; }
};

class LaneLooks {
public:
    explicit LaneLooks(const Theme& theme)
        : m_theme(theme)
    {
    }

    /// The looks of a set of states, then from SecondLooks on those of another. The same object for equal sets, until theme or focus
    /// change: sets of one id differ where a file that says their colours was changed, or where traces gave them other states. `isSampled`:
    /// samples are all that is known, so that the unknown between them is but a line.
    const std::shared_ptr<const LaneLook>& of(const StateSet& set, const StateSet* second = nullptr, bool isSampled = false)
    {
        return known(set, second, isSampled).look;
    }
    /// Those of a row; where it is the sum of rows of two kinds, of both.
    const std::shared_ptr<const LaneLook>& of(const Timeline& timeline, TrackRef row, const LaneSources* sources, bool isSampled = false);

    /// Only this state's legend word stays in full colour; empty: all do.
    void setFocus(const QString& legend)
    {
        m_focus = legend;
        m_known.clear();
    }
    const QString& focus() const { return m_focus; }

    /// Which calls are shown, and in which colours.
    void setFrames(FrameChoice frames)
    {
        m_frames = std::move(frames);
        m_known.clear();
    }
    const FrameChoice& frames() const { return m_frames; }

private:
    struct Known {
        StateSet set;
        std::optional<StateSet> second;
        bool isSampled = false;
        std::shared_ptr<const LaneLook> look;
        RowStates row{}; ///< The last that had them.
        RowStates secondRow{};

        bool isOf(const StateSet& its, const StateSet* other, bool isOfSamples) const
        {
            return isSampled == isOfSamples && second.has_value() == (other != nullptr) && set == its && (!other || *second == *other);
        }
    };
    Known& known(const StateSet& set, const StateSet* second, bool isSampled);

    Theme m_theme;
    QString m_focus;
    FrameChoice m_frames;
    std::unordered_multimap<std::string, Known> m_known; ///< By the set's id.
};

} // namespace helio
