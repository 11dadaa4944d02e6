#pragma once

#include "core/experiment/experiment.h"
#include "core/waits/path/path.h"
#include "widgets/async/latest_task.h"
#include "widgets/workspace/row_selection_keeper.h"
#include "widgets/workspace/view_context.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// The open document: an experiment that is passed to the views as it becomes known.
///
/// Opening and closing run in background threads; progress is polled ten times a second. Threads: UI thread.
class Session : public QObject {
    Q_OBJECT

public:
    enum class State { Empty, Opening, Reading, Ready, Stopped, Failed };

    explicit Session(ViewContext& context, QObject* parent = nullptr);
    ~Session() override;

    /// Closes the open experiment and opens `paths` as one experiment. Its clocks come from `options`, later from ViewContext::clocks().
    void open(const QStringList& paths, ExperimentOptions options = {});
    void close();
    /// Opens the same traces again with other options. The current experiment stays visible until the new one shows as much, and is then
    /// replaced; position, selection and bookmarks stay. If the traces are being read for the first time, reading finishes first. Does
    /// nothing if no experiment is open.
    void reopen(ExperimentOptions options);
    /// True while the traces of reopen() are opened and not shown yet.
    bool isReopening() const { return m_isReopening; }
    /// Sets the traces that are visible; these are read first.
    void prefer(const std::vector<std::uint32_t>& traces);
    /// Stops reading, or making rows; everything known so far stays.
    void cancel();

    State state() const { return m_state; }
    const QStringList& paths() const { return m_paths; }
    const SymbolOptions& symbols() const { return m_symbols; } ///< Options of the open traces, without the options saved for all traces.
    const QString& problem() const { return m_problem; } ///< Reason of the failure as a plain sentence.
    const Progress& progress() const { return m_progress; }
    /// True while new clock settings are computed and not shown yet.
    bool isSettingClocks() const { return m_clocks.isBusy(); }
    /// True while correlators make rows of the completely read traces.
    bool isMakingRows() const { return m_rows.isBusy(); }
    bool isFollowing() const { return m_rows.isBusy() && m_isFollowing; } ///< True while a critical path is computed.
    QString title() const; ///< For example "web-3 · shop-slow-checkout".
    QString name() const; ///< Name of the first trace, and how many more there are: "shop-slow-checkout".

signals:
    void stateChanged();
    void progressChanged();
    void firstShown(); ///< The first timeline of a newly opened experiment has come.
    void aboutToReplace(); ///< Emitted before the context gets the timeline of the reopened experiment.
    void replaced();

private:
    void setState(State state);
    void takeOpened(std::shared_ptr<Experiment> experiment);
    void takeTimeline();
    void takeReopened(std::shared_ptr<Experiment> experiment);
    void replaceIfReady();
    void replace();
    void closeInBackground(std::shared_ptr<Experiment> experiment);
    void endReopening();
    void makeRows();
    void stopMakingRows();
    Result<std::shared_ptr<const Timeline>> follow(const Timeline& timeline, const PathRequest& path, const std::stop_token& stop);
    void setClocks();
    void holdCursor();
    void applyClocks();
    void retimeEvent(const Timeline* before, const Timeline& timeline);
    void changeClock(const Timeline& before, const Timeline& timeline);
    void poll();
    void pollReopened();
    void drop();

    ViewContext& m_context;
    RowSelectionKeeper m_keptRow;
    State m_state = State::Empty;
    QStringList m_paths;
    SymbolOptions m_symbols;
    QString m_problem;
    Progress m_progress;
    QTimer m_timer;
    bool m_isShown = false;
    std::shared_ptr<Experiment> m_experiment; ///< Shared with the thread that sets its clocks.
    std::shared_ptr<Experiment> m_next; ///< Experiment of reopen() that replaces m_experiment; nullptr if none.
    std::optional<ExperimentOptions> m_wanted; ///< Options of a reopen() that waits until the traces were read; nullopt if none.
    bool m_isReopening = false;
    bool m_wasReopened = false; ///< The open experiment was reopened, hence most of it was visible before.
    std::shared_ptr<const Timeline> m_takenTimeline; ///< Latest timeline that was taken from the experiment.
    std::vector<std::future<void>> m_closing; ///< Experiments that are being closed; finished ones are removed when the next one is added.
    LatestTask m_opener;
    LatestTask m_rows;
    bool m_isFollowing = false;
    bool m_showsPathBeginning = false; ///< The beginning of the critical path is shown while the rest is computed.
    std::optional<PathRequest> m_highlightedPath; ///< Critical path that the highlight in the views belongs to; nullopt if none.
    ClockSettings m_sentClocks; ///< Clock settings that m_clocks applies or has applied.
    LatestTask m_clocks;
};

} // namespace helio
