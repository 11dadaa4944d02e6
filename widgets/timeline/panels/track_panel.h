#pragma once

#include "core/query/rows/frame_text.h"
#include "widgets/async/debounced_query.h"
#include "widgets/timeline/graph/graph_panel.h"
#include "widgets/timeline/graph/rows/row_tree.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <unordered_set>

class QMenu;

namespace helio {

class ModuleColors;

/// Time panel with the rows of one view: keeps the tree of rows, filters, sorts, pins and hides rows, and updates them when the timeline
/// changes.
class TrackPanel : public GraphPanel, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent);

    /// Saves the user's changes to the rows: filter, sorting, opened, pinned and hidden rows.
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

    /// True if the row belongs to this panel, whether shown or not. The states of a call stack's thread belong to the panel of threads.
    bool has(TrackRef row) const { return m_tree.find(row) >= 0 && !belongsToOtherView(m_tree.find(row)); }
    void togglePin(TrackRef row);
    void hideRow(TrackRef row) { hideRows({row}); }
    /// Hides rows of this panel as one change; other rows are ignored.
    void hideRows(const std::vector<TrackRef>& rows);
    /// Pins rows of this panel as one change; unpins them if all of them are pinned. Other rows are ignored.
    void togglePins(const std::vector<TrackRef>& rows);
    /// Fades all states except those with the legend text `legend`. A module as `legend` fades all calls of other modules.
    void setFocusState(const QString& legend) override;
    QString focusState() const override;
    bool hasOnlyEvents() const override { return m_content == Content::Events; }
    int fullHeight() const override;
    bool isListed() const { return m_tree.isFlat(); }
    /// Order of the rows, as the user chose it.
    struct RowOrder {
        RowTree::Column column = RowTree::Column::Time;
        bool isDescending = false;
        bool isListed = false; ///< True if the rows are a list without groups.
        bool operator==(const RowOrder&) const = default;
    };
    RowOrder rowOrder() const { return {m_tree.sortColumn(), m_tree.isDescending(), m_tree.isFlat()}; }
    void setRowOrder(const RowOrder& order);
    /// Returns all tracks in the order of their rows; see RowTree::order().
    std::vector<TrackRef> trackOrder() const { return m_tree.order(); }
    /// Sets ranks by which the rows are sorted instead of rowOrder(); see RowTree::setRanks().
    void setRanks(std::shared_ptr<const RowTree::Ranks> ranks);
    /// Sets whether the panel lists all rows, the busiest first, or shows the tree.
    void setListed(bool isListed);
    void fillMenu(QMenu& menu) override;
    /// Adds menu items that act on `row`, for example "Pin to top" and "Copy name". Adds nothing if the row is not in this panel.
    void addRowActions(QMenu& menu, TrackRef row);

signals:
    void rowOrderChosen(); ///< Emitted when rowOrder() changed.
    void rowsArranged(); ///< Emitted when other rows are shown, or rows in another order.
    /// Emitted after the user changed what the rows show. `text` names the change, e.g. "Hide mysqld"; `before` and `after` have the
    /// members of save() that changed, null where save() has none. `mergeKey`: see Change::mergeKey.
    void choicesEdited(const QString& text, const QJsonObject& before, const QJsonObject& after, const QString& mergeKey);

protected:
    /// Returns the text right of the title: "19 of 214", "4 CPUs".
    virtual QString subtitle() const = 0;
    /// Text of a panel without rows: what the trace lacks, and how to record it.
    struct EmptyText {
        QString what;
        QString how;
    };
    virtual EmptyText emptyText() const = 0;
    /// Returns how to record the data of a view, as a command of the recording tool.
    QString howToRecord(std::string_view view) const;

    const RowSet& rowSet() const { return *m_tree.rowSet(); }
    int shownRows() const; ///< Number of shown rows without groups.
    int shownDiskRows() const; ///< Number of shown rows of disks, i.e. of rows whose kind is LanesGroup.
    const FrameChoice& frames() const { return m_frames; }

    /// Enables the option to hide rows without activity in the visible range; the subtitle becomes its switch.
    void setCanHideResting();
    /// Adds a button that shows the rows as a list.
    void setCanList();

    ViewContext& m_context;

private:
    using Besides = std::shared_ptr<const std::vector<RowAnnotations>>;
    /// CPU use of all rows in a time range, and the rows that were inactive in this range (`resting`).
    struct CpuUses {
        std::shared_ptr<const Shares> shares; ///< Shares of CPU time by row, to sort by CPU %.
        std::shared_ptr<const std::unordered_set<TrackRef, TrackRefHash>> resting;
    };

    void onTimelineChanged();
    void requestRows();
    void requestNames(); ///< Requests the symbol names of the frames that are values of the rows.
    void takeRows(std::shared_ptr<const RowSet> rows, Besides beside, bool areOthers);
    /// Kind of data in the rows.
    enum class Content { Nothing, States, Samples, Events };
    static Content contentOf(const std::vector<Row>& rows, const Timeline& timeline);
    static std::vector<StateKind> legendOf(const std::vector<Row>& rows, const Timeline& timeline, Content content);
    bool lacksCpuStates() const;
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
    std::vector<std::int32_t> indexesOf(const std::vector<TrackRef>& rows) const;
    std::vector<TrackRef> boxAround(TrackRef row) const;
    void movePinned(TrackRef row, int to);
    void setFrames(FrameChoice frames);
    void editFrames(const QString& text, FrameChoice frames);
    void edit(const QString& text, const std::function<void()>& change, const QString& mergeKey = {});
    void unhideRows();
    QString rowName(std::int32_t index) const;
    void addFrames(const QString& title, const QString& question, std::vector<std::string> FrameChoice::*patterns);
    void open(std::int32_t index, bool isOpen); ///< Opens or closes a row and all rows below it.
    void updateEmptyText();
    void sortBy(int column);
    void onSortChanged();
    void showSorting();
    void updateLegend();
    bool hidesResting() const { return m_canHideResting && axis().hidesResting(); }
    bool needsUses() const { return hidesResting() || m_tree.sortColumn() == RowTree::Column::Share; }
    static CpuUses usesOf(const Timeline& timeline, const RowSet& rows, const Besides& beside, TimeRange window, bool excludesStealTime,
                          const std::stop_token& stop);
    bool takeUses(const CpuUses& uses);
    void setFolds(bool folds);
    void applyHiding();
    bool hidesOffPath() const { return axis().showsOnlyPath() && !m_onPath.empty(); }
    void updatePathRows();
    void showPathSwitch();
    void scheduleUses();
    void requestUses();
    void scheduleDepths();
    void requestDepths();
    void takeDepths(std::shared_ptr<const OccupiedDepths> depths);
    void showDepths(std::shared_ptr<const OccupiedDepths> depths);
    std::shared_ptr<const OccupiedDepths> withSelectedDepth(std::shared_ptr<const OccupiedDepths> depths) const;
    void revealSelected();
    void showStandIn(TrackRef row);
    bool belongsToOtherView(std::int32_t index) const;

    RowTree m_tree;
    Besides m_beside;
    bool m_hasStealTime = false; ///< True if some rows have steal time.
    bool m_excludesStealTime = false; ///< True if the shown shares are without steal time.
    CpuUses m_uses;
    std::unordered_set<TrackRef, TrackRefHash> m_onPath; ///< Rows of this panel that the shown critical path crosses; empty if none.
    std::size_t m_offPathCount = 0; ///< Number of rows that neither are in m_onPath nor have such rows below them.
    std::vector<StateKind> m_legend; ///< States that the header's legend shows.
    /// Colours of the modules; nullptr while m_modules is empty.
    std::shared_ptr<const ModuleColors> m_moduleColors;
    std::vector<FrameModule> m_modules; ///< Modules that the header's legend shows.
    Content m_content = Content::Nothing;
    FrameChoice m_frames;
    bool m_canHideResting = false;
    bool m_canList = false;
    /// True if short-lived processes and threads are collected in folds (see makeViewRows()). Only panels that can list rows have folds.
    bool m_folds = true;
    bool m_reveals = false; ///< True if the selected row must be scrolled into view after the next arrangement of the rows.
    bool m_areRowsKnown = false; ///< True if the rows are complete for the open traces.
    bool m_areRowsOld = false; ///< True if the timeline changed since the rows were requested.
    QTimer m_rowsTimer;
    LatestTask m_rowsJob;
    LatestTask m_arrangeJob;
    LatestTask m_namesJob;
    DebouncedQuery m_usesAnswer;
    DebouncedQuery m_depthsAnswer;
    std::shared_ptr<const OccupiedDepths> m_wantedDepths; ///< Depths that are shown when m_shrinkTimer fires.
    QTimer m_shrinkTimer;
};

} // namespace helio
