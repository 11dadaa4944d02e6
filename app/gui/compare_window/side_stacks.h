#pragma once

#include "widgets/compare/side_style.h"

#include <QWidget>

#include <array>

class QBoxLayout;

namespace helio {

class AlignmentGutter;
class CompareContext;
class DifferenceLane;
class ExperimentPane;
class SideFrame;
class TrackPanel;

/// Widget with the time areas of both sides: A above B under one ruler with the difference lane below, or side by side.
/// Ownership: the context and the panes outlive the widget.
/// Threads: UI thread.
class SideStacks : public QWidget {
    Q_OBJECT

public:
    SideStacks(CompareContext& context, ExperimentPane& a, ExperimentPane& b);

    SideFrame& frame(Side side) { return *m_sides[std::size_t(side)].frame; }
    TrackPanel& threads(Side side) { return *m_sides[std::size_t(side)].threads; }

    bool isBeside() const { return m_isBeside; }
    void setBeside(bool isBeside);

    /// Shows only the rows of the compared threads, or all rows. The user may change the filter afterwards.
    void filterThreads(bool areOnlyCompared);

    /// Returns the height in pixels at which each panel of an analysis, which has a header of its own, shows about four rows. Adds the
    /// heights of both sides if A is above B; returns the larger height if A is left of B.
    int titledHeight();

signals:
    void titledHeightChanged(); ///< Emitted when titledHeight() may have changed.
    /// Emitted when the user changed the alignment by dragging one side against the other.
    void alignedByHand();

private:
    struct Parts {
        ExperimentPane* pane;
        TrackPanel* threads; ///< Panel with the threads; its header is the header of the side.
        SideFrame* frame;
    };

    static Parts partsOf(Side side, ExperimentPane& pane);
    void shareSpace();
    void updateCommon();
    void shareHeight();
    void shareRoom();
    void placeSides();
    void resizeEvent(QResizeEvent* event) override;
    void shareFilter(Side from);
    void shareScroll(Side from);
    ExperimentPane& pane(Side side) { return *m_sides[std::size_t(side)].pane; }

    CompareContext& m_context;
    std::array<Parts, 2> m_sides;
    AlignmentGutter* m_gutter;
    DifferenceLane* m_lane;
    QBoxLayout* m_lines;
    bool m_isBeside = false;
};

} // namespace helio
