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

/// The open experiment of a pane. Passes each new timeline of the experiment to the views while the traces are read.
///
/// Opening and closing run in background threads; progress is polled ten times a second.
/// Threads: UI thread.
class Session : public QObject {
    Q_OBJECT

public:
    enum class State { Empty, Opening, Reading, Ready, Stopped, Failed };

    explicit Session(ViewContext& context, QObject* parent = nullptr);
    ~Session() override;

    /// Closes the open experiment and opens `paths` as one experiment. `options` has the initial clock settings; when the user changes
    /// them, ViewContext::clocks() has the current settings.
    void open(const QStringList& paths, ExperimentOptions options = {});
    void close();
    /// Opens the same traces again with other options. The current experiment stays visible until the new one has all its rows; position,
    /// selection and bookmarks are kept. If the traces are being read for the first time, waits until they are read. Does nothing if no
    /// experiment is open.
    void reopen(ExperimentOptions options);
    /// True while reopen() is running, i.e. until the reopened traces are shown.
    bool isReopening() const { return m_isReopening; }
    /// Sets the traces that are visible, which are read first.
    void prefer(const std::vector<std::uint32_t>& traces);
    /// Cancels the current work: opening the traces, reading the traces, or making the rows of correlators. If the traces were already
    /// being read, the results so far are kept.
    void cancel();

    /// Returns the experiment without the rows of correlators, as commands open it; nullptr if none is open.
    const std::shared_ptr<const Timeline>& opened() const { return m_takenTimeline; }

    State state() const { return m_state; }
    const QStringList& paths() const { return m_paths; }
    /// Returns the symbol options of the open traces, without the options saved for all traces.
    const SymbolOptions& symbols() const { return m_symbols; }
    const QString& problem() const { return m_problem; } ///< Returns the reason why opening failed, as a sentence.
    const Progress& progress() const { return m_progress; }
    /// True while new clock settings are being applied and are not shown yet.
    bool isSettingClocks() const { return m_clocks.isBusy(); }
    /// True while correlators make rows, after the traces were read completely.
    bool isMakingRows() const { return m_rows.isBusy(); }
    bool isFollowing() const { return m_rows.isBusy() && m_isFollowing; } ///< True while a critical path is computed.
    QString title() const; ///< Returns hosts and name of the traces, for example "web-3 · shop-slow-checkout".
    QString name() const; ///< Returns the name of the first trace, e.g. "shop-slow-checkout", and the number of further traces.

signals:
    void stateChanged();
    void progressChanged();
    void firstShown(); ///< Emitted when the first timeline of a newly opened experiment is shown.
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
    std::shared_ptr<Experiment> m_experiment; ///< Open experiment; shared with the background thread that sets its clocks.
    std::shared_ptr<Experiment> m_next; ///< Experiment opened by reopen() that will replace m_experiment; nullptr if none.
    std::optional<ExperimentOptions> m_wanted; ///< Options of a reopen() that waits until the traces are read; nullopt if none.
    bool m_isReopening = false;
    /// True if reopen() opened the current experiment, so that the views already showed the traces before the experiment was read.
    bool m_wasReopened = false;
    std::shared_ptr<const Timeline> m_takenTimeline; ///< Latest timeline that takeTimeline() got from the experiment.
    /// Background tasks that close experiments; finished tasks are removed when the next one is added.
    std::vector<std::future<void>> m_closing;
    LatestTask m_opener;
    LatestTask m_rows;
    bool m_isFollowing = false;
    bool m_showsPathBeginning = false; ///< True while the views show the beginning of a critical path and the remaining path is computed.
    std::optional<PathRequest> m_highlightedPath; ///< Critical path that the views highlight; nullopt if none.
    ClockSettings m_sentClocks; ///< Clock settings that m_clocks applies or applied last.
    LatestTask m_clocks;
};

} // namespace helio
