#pragma once

#include "core/query/rows/frame_text.h"
#include "widgets/async/debounced_query.h"
#include "widgets/timeline/graph/graph_panel.h"
#include "widgets/timeline/graph/rows/row_tree.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <QTimer>

#include <memory>
#include <unordered_set>

class QMenu;

namespace helio {

class ModuleColors;

/// Time panel with the rows of one view. Keeps the tree of rows, filters, sorts and pins rows, hides resting ones, and follows the
/// timeline.
class TrackPanel : public GraphPanel, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent);

    /// Saves the user's changes to the rows: filtered, sorted, opened, pinned, hidden.
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

    /// True if the row belongs to this panel, whether shown or not. The states of a call stack's thread belong to another panel.
    bool has(TrackRef row) const { return m_tree.find(row) >= 0 && !belongsToOtherView(m_tree.find(row)); }
    void togglePin(TrackRef row);
    void hideRow(TrackRef row);
    /// `legend` may also be a module: only its calls keep their colours then.
    void setFocusState(const QString& legend) override;
    QString focusState() const override;
    bool hasOnlyEvents() const override { return m_content == Content::Events; }
    int fullHeight() const override;
    bool isListed() const { return m_tree.isFlat(); }
    /// True: lists all rows, the busiest first. False: shows the tree.
    void setListed(bool isListed);
    void fillMenu(QMenu& menu) override;
    /// Adds the actions about a row of this panel to a menu.
    void addRowActions(QMenu& menu, TrackRef row);

protected:
    /// Text right of the title: "19 of 214", "4 CPUs".
    virtual QString subtitle() const = 0;
    /// Text of a panel without rows: what the trace lacks, and how to record it.
    struct EmptyText {
        QString what;
        QString how;
    };
    virtual EmptyText emptyText() const = 0;
    /// Returns how to record the data of a view, with the command of the recording's tool.
    QString howToRecord(std::string_view view) const;

    const RowSet& rowSet() const { return *m_tree.rowSet(); }
    int shownRows() const; ///< Number of shown rows without groups.
    const FrameChoice& frames() const { return m_frames; }

    /// Lets the axis hide rows that rest in the visible range; the subtitle becomes the switch.
    void setCanHideResting();
    /// Adds a button that shows the rows as a list.
    void setCanList();

    ViewContext& m_context;

private:
    using Besides = std::shared_ptr<const std::vector<RowAnnotations>>;
    /// CPU use of all rows in a window.
    struct Uses {
        std::shared_ptr<const Shares> shares; ///< Needed for sorting by CPU %.
        std::shared_ptr<const std::unordered_set<TrackRef, TrackRefHash>> resting;
    };

    void onTimelineChanged();
    void requestRows();
    void requestNames(); ///< Requests the names of the frames in the rows' values.
    void takeRows(std::shared_ptr<const RowSet> rows, Besides beside, bool areOthers);
    /// Kind of data that the rows have.
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
    void addRowStateActions(QMenu& menu, std::int32_t index, TrackRef row);
    void setFrames(FrameChoice frames);
    void addFrames(const QString& title, const QString& question, std::vector<std::string> FrameChoice::*patterns);
    void open(std::int32_t index, bool isOpen); ///< Opens or closes the row with all rows below it.
    void updateEmptyText();
    void sortBy(int column);
    void onSortChanged();
    void showSorting();
    void updateLegend();
    bool hidesResting() const { return m_canHideResting && axis().hidesResting(); }
    bool needsUses() const { return hidesResting() || m_tree.sortColumn() == RowTree::Column::Share; }
    static Uses usesOf(const Timeline& timeline, const RowSet& rows, TimeRange window, bool excludesStealTime, const std::stop_token& stop);
    bool takeUses(const Uses& uses);
    void applyHiding();
    void scheduleUses();
    void requestUses();
    void revealSelected();
    void showStandIn(TrackRef row);
    bool belongsToOtherView(std::int32_t index) const;

    RowTree m_tree;
    Besides m_beside;
    bool m_hasStealTime = false; ///< True if some rows have steal time.
    bool m_excludesStealTime = false; ///< True if the shown shares are without steal time.
    Uses m_uses;
    std::vector<StateKind> m_legend; ///< States in the header's legend.
    /// Colours of m_modules; nullptr while there are no modules.
    std::shared_ptr<const ModuleColors> m_moduleColors;
    std::vector<FrameModule> m_modules; ///< Modules of the calls in the header's legend.
    Content m_content = Content::Nothing;
    FrameChoice m_frames;
    bool m_canHideResting = false;
    bool m_canList = false;
    bool m_reveals = false; ///< True to bring the selected row into view after the rows are arranged.
    bool m_areRowsKnown = false; ///< True if the rows are complete for the open traces.
    bool m_areRowsOld = false; ///< True if the timeline changed since the rows were requested.
    QTimer m_rowsTimer;
    LatestTask m_rowsJob;
    LatestTask m_arrangeJob;
    LatestTask m_namesJob;
    DebouncedQuery m_usesAnswer;
};

} // namespace helio
