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

/// Timelines of both sides: A above B under one ruler with the difference lane below, or side by side. Shows the time areas of the panes.
/// Ownership: the context and the panes outlive the widget. Threads: UI thread.
class SideStacks : public QWidget {
    Q_OBJECT

public:
    SideStacks(CompareContext& context, ExperimentPane& a, ExperimentPane& b);

    SideFrame& frame(Side side) { return *m_sides[std::size_t(side)].frame; }
    TrackPanel& threads(Side side) { return *m_sides[std::size_t(side)].threads; }

    bool isBeside() const { return m_isBeside; }
    void setBeside(bool isBeside);

    /// Filters the thread rows to the compared threads, or shows all. The user may set another filter until something else is compared.
    void filterThreads(bool areOnlyCompared);

    /// Height in pixels that the panels of analyses, which have their own headers, can use.
    int titledHeight();

signals:
    void titledHeightChanged(); ///< titledHeight() may have changed.
    /// The user dragged one side against the other, which changed the link's alignment.
    void alignedByHand();

private:
    struct Parts {
        ExperimentPane* pane;
        TrackPanel* threads; ///< Panel of the pane's threads; its header serves as the side's header.
        SideFrame* frame;
    };

    static Parts partsOf(Side side, ExperimentPane& pane);
    void shareSpace();
    void updateCommon();
    void shareHeight();
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
