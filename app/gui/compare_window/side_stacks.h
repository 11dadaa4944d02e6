#pragma once

#include "widgets/compare/side_look.h"

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

/// The timelines of both sides, A above B under one ruler with the lane of differences below, or side by side. The context and the panes
/// outlive it; it shows the panes' time areas. UI thread.
class SideStacks : public QWidget {
    Q_OBJECT

public:
    SideStacks(CompareContext& context, ExperimentPane& a, ExperimentPane& b);

    SideFrame& frame(Side side) { return *m_sides[std::size_t(side)].frame; }
    TrackPanel& threads(Side side) { return *m_sides[std::size_t(side)].threads; }

    bool isBeside() const { return m_isBeside; }
    void setBeside(bool isBeside);

    /// Of the threads only those of what is compared are shown, or all; a person may filter otherwise until something else is compared.
    void filterThreads(bool areOnlyCompared);

    /// That the panels of analyses, which have headers of their own, are of use in.
    int titledHeight();

signals:
    void titledHeightChanged(); ///< It may have.
    /// A person dragged one side against the other: the link's alignment is another.
    void alignedByHand();

private:
    struct Parts {
        ExperimentPane* pane;
        TrackPanel* threads; ///< Of the pane: its header is the side's.
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
