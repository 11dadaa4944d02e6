#pragma once

#include "core/experiment/experiment.h"
#include "core/waits/path/path.h"
#include "widgets/async/latest_job.h"
#include "widgets/workspace/kept_row.h"
#include "widgets/workspace/view_context.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// The open document: an experiment, handed to the views as it becomes known.
///
/// Opening and closing happen on other threads; progress is polled ten times a second. UI thread only.
class Session : public QObject {
    Q_OBJECT

public:
    enum class State { Empty, Opening, Reading, Ready, Stopped, Failed };

    explicit Session(ViewContext& context, QObject* parent = nullptr);
    ~Session() override;

    /// Closes what is open and opens these as one experiment. Its clocks are what the options say; from then on, what ViewContext::clocks()
    /// decides.
    void open(const QStringList& paths, ExperimentOptions options = {});
    void close();
    /// Opens the same traces once more with other options, beside what is open: that is shown until the other one shows as much, and then
    /// gives its place up to it. All else stays: where one looked, what is selected and marked. Traces that are being read for the first
    /// time are read first. Nothing where nothing is open.
    void reopen(ExperimentOptions options);
    /// They are being opened and are not shown yet.
    bool isReopening() const { return m_isReopening; }
    /// These traces are visible: they are read first.
    void prefer(const std::vector<std::uint32_t>& traces);
    /// Stops reading, or making rows; what is known stays.
    void cancel();

    State state() const { return m_state; }
    const QStringList& paths() const { return m_paths; }
    const SymbolOptions& symbols() const { return m_symbols; } ///< Options of the traces, besides those saved for all traces.
    const QString& problem() const { return m_problem; } ///< Why it failed: a plain sentence.
    const Progress& progress() const { return m_progress; }
    /// Clocks were chosen, and are not shown yet.
    bool isSettingClocks() const { return m_clocks.isBusy(); }
    /// All is read, and rows are being made of it that no trace has.
    bool isMakingRows() const { return m_rows.isBusy(); }
    bool isFollowing() const { return m_rows.isBusy() && m_isFollowing; } ///< A critical path.
    QString title() const; ///< "web-3 · shop-slow-checkout"
    QString name() const; ///< "shop-slow-checkout": of the first trace, and how many more there are.

signals:
    void stateChanged();
    void progressChanged();
    void firstShown(); ///< The first timeline of what was opened has come.
    void aboutToReplace(); ///< The context gets the timeline of what was opened once more.
    void replaced();

private:
    void setState(State state);
    void takeOpened(std::shared_ptr<Experiment> experiment);
    void takeTimeline();
    void takeNext(std::shared_ptr<Experiment> experiment);
    void replaceWhereReady();
    void replace();
    void closeLater(std::shared_ptr<Experiment> experiment);
    void endReopening();
    void makeRows();
    void stopMakingRows();
    Result<std::shared_ptr<const Timeline>> follow(const Timeline& timeline, const PathQuestion& path, const std::stop_token& stop);
    void setClocks();
    void holdCursor();
    void applyClocks();
    void retimeEvent(const Timeline* before, const Timeline& timeline);
    void goAlong(const Timeline& before, const Timeline& timeline);
    void poll();
    void pollNext();
    void drop();

    ViewContext& m_context;
    KeptRow m_keptRow;
    State m_state = State::Empty;
    QStringList m_paths;
    SymbolOptions m_symbols;
    QString m_problem;
    Progress m_progress;
    QTimer m_timer;
    bool m_isShown = false;
    std::shared_ptr<Experiment> m_experiment; ///< Shared with who sets its clocks.
    std::shared_ptr<Experiment> m_next; ///< Takes its place.
    std::optional<ExperimentOptions> m_wanted; ///< To be opened with, once the traces were read.
    bool m_isReopening = false;
    bool m_wasReopened = false; ///< What is open is the second of its traces: most of it was there already.
    std::shared_ptr<const Timeline> m_taken; ///< The experiment's latest that was taken.
    std::vector<std::future<void>> m_closing; ///< Experiments that are being closed. Those that are closed go with the next one.
    LatestJob m_opener;
    LatestJob m_rows;
    bool m_isFollowing = false;
    bool m_hasBegin = false; ///< Of the path that is followed, the begin is shown.
    std::optional<PathQuestion> m_lit; ///< Whose path the light is of.
    ClockChoice m_sent; ///< What m_clocks is setting, or has set.
    LatestJob m_clocks;
};

} // namespace helio
