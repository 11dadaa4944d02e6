#pragma once

#include "core/query/rows/frame_text.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/timeline/graph/graph_panel.h"
#include "widgets/timeline/graph/rows/row_tree.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <QTimer>

#include <memory>
#include <unordered_set>

class QMenu;

namespace helio {

class ModuleColors;

/// A time panel over the rows of one query view: keeps the tree, filters, sorts and pins, hides what rests, and follows the timeline.
class TrackPanel : public GraphPanel, public SavedChoices, public OffersCommand {
    Q_OBJECT

public:
    TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent);

    /// What a person did to the rows: filtered, sorted, opened, pinned, hidden.
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

    /// Whether it is the row's own panel, which has it, shown or not. The states of a call stack's thread are another's.
    bool has(TrackRef row) const { return m_tree.find(row) >= 0 && !isOfOtherView(m_tree.find(row)); }
    void togglePin(TrackRef row);
    void hideRow(TrackRef row);
    /// Also of a module, whose calls alone have their colours then.
    void setFocusState(const QString& legend) override;
    QString focusState() const override;
    bool hasEventsAlone() const override { return m_content == Content::Events; }
    int fullHeight() const override;
    bool isListed() const { return m_tree.isFlat(); }
    void setListed(bool isListed); ///< All rows, the busiest first.
    void fillMenu(QMenu& menu) override;
    /// Lines for a menu about a row of this panel.
    void addRowActions(QMenu& menu, TrackRef row);

signals:
    void rowsChanged();

protected:
    /// "19 of 214", "4 CPUs": right of the title.
    virtual QString subtitle() const = 0;
    /// What a trace lacks that has no rows for this view, and how to record it.
    struct EmptyText {
        QString what;
        QString how;
    };
    virtual EmptyText emptyText() const = 0;
    /// How to record what a view lacks, as the recording's tool does it.
    QString howToRecord(std::string_view view) const;

    const RowSet& rowSet() const { return *m_tree.rowSet(); }
    int shownRows() const; ///< Without groups.
    const FrameChoice& frames() const { return m_frames; }

    /// Rows that rest in the visible window are hidden where the axis says so; the subtitle is the switch.
    void setCanHideResting();
    /// A button shows the rows as a list.
    void setCanList();

    ViewContext& m_context;

private:
    using Besides = std::shared_ptr<const std::vector<RowBeside>>;
    /// Of all rows in a window.
    struct Uses {
        std::shared_ptr<const Shares> shares; ///< What sorting by CPU % needs.
        std::shared_ptr<const std::unordered_set<TrackRef, TrackRefHash>> resting;
    };

    void onTimelineChanged();
    void requestRows();
    void requestNames(); ///< Of the frames that the rows' values are.
    void takeRows(std::shared_ptr<const RowSet> rows, Besides beside, bool areOthers);
    /// What is known of the rows.
    enum class Content { Nothing, States, Samples, Events };
    static Content contentOf(const std::vector<Row>& rows, const Timeline& timeline);
    static std::vector<StateKind> legendOf(const std::vector<Row>& rows, const Timeline& timeline, Content content);
    void setContent(Content content, std::vector<StateKind> legend);
    void arrange();
    void show(GraphRows rows);
    void showPinned();
    void showSubtitle();
    void toggle(int row);
    void showDepthsBelow(int row);
    void addDepths(QMenu& menu);
    void addStackActions(QMenu& menu, std::int32_t index);
    void addFrames(QMenu& menu);
    bool isModuleInFocus() const;
    void addPatterns(QMenu& menu, const QString& words, std::vector<std::string> FrameChoice::*patterns);
    void addShowAll(QMenu& menu);
    QString addFrameActions(QMenu& menu, TrackRef row);
    void addPlaceActions(QMenu& menu, std::int32_t index, TrackRef row);
    void setFrames(FrameChoice frames);
    void addFrames(const QString& title, const QString& question, std::vector<std::string> FrameChoice::*patterns);
    void open(std::int32_t index, bool isOpen); ///< With all below it.
    void updateEmptyText();
    void sortBy(int column);
    void showSorting();
    void updateLegend();
    bool hidesResting() const { return m_canHideResting && axis().hidesResting(); }
    bool needsUses() const { return hidesResting() || m_tree.sortColumn() == RowTree::Column::Share; }
    static Uses usesOf(const Timeline& timeline, const RowSet& rows, TimeRange window, bool leavesOutStolen, const std::stop_token& stop);
    bool takeUses(const Uses& uses);
    void applyHiding();
    void scheduleUses();
    void requestUses();
    void revealSelected();
    void showAgain(TrackRef row);
    bool isOfOtherView(std::int32_t index) const;

    RowTree m_tree;
    Besides m_beside;
    bool m_hasStolen = false; ///< Of some rows.
    bool m_leavesOutStolen = false; ///< The shares shown are without it.
    Uses m_uses;
    std::vector<StateKind> m_legend; ///< That the header explains.
    std::shared_ptr<const ModuleColors> m_moduleColors; ///< Of m_modules; null while there are none.
    std::vector<FrameModule> m_modules; ///< And these, of the calls.
    Content m_content = Content::Nothing;
    FrameChoice m_frames;
    bool m_canHideResting = false;
    bool m_canList = false;
    bool m_reveals = false; ///< The selected row is brought into view once the rows are arranged.
    bool m_areRowsKnown = false; ///< All that there are of what is open.
    bool m_areRowsOld = false; ///< The timeline changed since they were asked for.
    QTimer m_rowsTimer;
    LatestJob m_rowsJob;
    LatestJob m_arrangeJob;
    LatestJob m_namesJob;
    FreshAnswer m_usesAnswer;
};

} // namespace helio
