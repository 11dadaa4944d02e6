#pragma once

#include "app/cli/selection/position_options.h"
#include "app/gui/analyses/xml_analyses.h"
#include "app/gui/common/actions.h"
#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/program_theme.h"
#include "app/gui/common/recordings_dialog.h"
#include "app/gui/common/session_file.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/window_docks.h"

#include <QMainWindow>
#include <QPointer>

class QStackedWidget;
class QToolButton;

namespace helio {

class AnalysisFileActions;
struct Comparison;
class DropOverlay;
class EditActions;
class EmptyPage;
class EventPages;
class HeaderBar;
class LockStatReader;
class NoticeBar;
class PluginNotice;
class RecordActions;
class MomentAlignment;
class PositionLink;
class FileJob;
struct RecordingGroup;
struct ReportRequest;
enum class PictureFormat;
struct SampledFunction;
struct ShownCommand;
class StatusBar;
class TimeGraph;
class WindowPalette;

/// Main window: header, overview, time panels with docks around them, status bar. Creates and connects these parts.
/// Ownership: owns the pane of the experiment.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Sets the options for opening traces: offsets, synchronization, store folder, and analyses that do not come from files. The clocks
    /// apply only to the first traces that are opened.
    void setExperimentOptions(ExperimentOptions options);
    /// Adds XML files of analyses, which run on every trace.
    void loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }
    AnalysisFileActions& analysisFileActions() { return *m_fileActions; }

    /// Opens traces, folders, or one session file. A copy of /proc/lock_stat is shown together with the traces in `paths`, or with the open
    /// experiment if `paths` has no traces.
    /// `position`: position to go to as soon as the traces show it; parts that do not exist are reported in a notice.
    void open(const QStringList& paths, const PositionOptions& position = {});

    /// Asks in the window whether new plug-ins may be loaded.
    void askAboutPlugins();

    ViewContext& context() { return m_pane->context(); }
    Session& session() { return m_pane->session(); }
    Actions& actions() { return *m_actions; }
    WindowDocks& docks() { return *m_docks; }

    SessionState sessionState() const;

private:
    bool focusNextPrevChild(bool isNext) override;
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

    // Creation of the parts of the window, and connections between them.
    void makeParts();
    QToolButton* addCounter(const char* view);
    void wireContext();
    void wireSession();
    void updatePage();
    static QString recordText(); ///< Returns the text of the button that opens the dialog Record.
    static QString sampleText(); ///< Returns the text of the button that opens the sample trace.
    void updateHeader();
    void updateTimeline();
    void updateProgress();
    void layOutFor(const Timeline& timeline);
    void updateActions();
    void showContextMenu(const QPoint& at, TrackRef row, Timestamp time);
    void fillContextMenu(QMenu& menu, TrackRef row, bool isCall, const QString& sampledFrame);
    void addFrameActions(QMenu& menu, TrackRef row, const QString& name);
    void addCallActions(QMenu& menu, TrackRef row);
    void addActions(QMenu& menu, std::initializer_list<const char*> ids);

    // Signal connections of the window's actions, and the contents of the command palette.
    void fillPalette();
    void bindFileActions();
    void bindRecording();
    void bindFleet();
    void openFleet(const QString& catalogue);
    void openAgain(ExperimentOptions options);
    void bindGoActions();
    void bindHelpActions();
    void bindTimeActions();
    /// Returns a function for an action. It calls `run` with the time graph that has the focus, and does nothing if no time graph has it.
    std::function<void()> onGraph(std::function<void(TimeGraph&)> run);
    void fillRecentMenu();

    void bindViewActions();
    void bindPanel(TimePanel* panel);
    void bindDensity();
    void bindTimeFormat();

    // Handlers of the actions that compare the open traces with further traces, or two selections with each other.
    void bindCompareActions();
    void compareWith(const QStringList& paths);
    void showWith(const Comparison& comparison);
    void compareShownCalls(const SampledFunction& function);
    void compareCallsOfSelected();
    void compareCalls(std::shared_ptr<const Timeline> timeline, const std::string& kind, const SampledFunction& function,
                      std::optional<TimeRange> range);
    void holdForComparison();
    void compareWithHeld();

    // Analyses from XML files, and the list of analyses.
    void wireAnalyses();
    void makeAnalysesMenu();
    void openTraces(const QStringList& paths, const std::optional<ClockSettings>& clocks = {}, const SymbolOptions& symbols = {},
                    const std::optional<QMap<QString, bool>>& switches = {});
    void runAnalyses();
    void listAnalyses();
    void listAnalysesOfOpened();
    void followNotice(const QString& reference);
    bool areAttributesShown(const QString& view) const;
    void showAttributes(const QString& view, bool isShown);

    // Plug-ins in the plug-in folders: the notice that asks about new plug-ins, and the use of allowed plug-ins.
    QWidget* makePluginNotice();
    void useAllowedPlugins();

    void bindClockActions();
    void showMomentAlignment();
    void alignAll();
    bool hasSeveralHosts();

    void bindExportActions();
    void exportPicture(PictureFormat format, qreal scale);
    void exportTable();
    void exportRecording();
    void exportEvents(EventPages& pages, const QString& path);
    void copyCommand();
    void copyCommand(const ShownCommand& command);
    ShownCommand overviewCommand();
    void copyLink();
    void saveReport();
    ReportRequest shownReport();

    // Copies of /proc/lock_stat, the kernel's lock statistics.
    void wireLockStat();
    QString lockStatPath() const; ///< Returns the path of the open copy of /proc/lock_stat; empty if none.
    QStringList openedPaths() const;
    void openLockStat(const QStringList& texts);
    void openLockStatBeside(const QStringList& texts); ///< Opens copies of /proc/lock_stat and shows them with the open traces.
    void closeLockStat();
    void showLockStatAgain();
    void openLockStatSession(const SessionState& state);

    // Choice of recordings that an archive or folder contains.
    void wireRecordings();
    void offerRecordings();
    void showFirst(const RecordingGroup& group);
    void chooseRecordings();

    // Opening and saving of session files.
    void openSession(const QString& path);
    void rememberRecent(const QString& path);
    void applyPending();
    void dropPosition();
    void goToPosition();
    bool saveSessionTo(const QString& path);
    Status keepLastSession();
    QString filterOfEvents() const;
    QJsonObject layout() const;
    void restoreLayout(const QJsonObject& layout);
    void keepLayout();
    QString suggestedSessionPath() const;

    ProgramTheme m_theme; ///< Theme of the program. First member, because the widgets are created with its colours.
    Settings m_settings;
    HeaderBar* m_header;
    QToolButton* m_bookmarks = nullptr; ///< Button in the header with the number of bookmarks.
    QToolButton* m_messages = nullptr; ///< Button in the header with the number of messages.
    StatusBar* m_status;
    std::unique_ptr<ExperimentPane> m_pane;
    XmlAnalyses m_analyses;
    AnalysisFileActions* m_fileActions = nullptr;
    LockStatReader* m_lockStat = nullptr;
    WindowDocks* m_docks;
    NoticeBar* m_notice;
    NoticeBar* m_linkNotice; ///< Notice about parts of a command line position that do not exist in the traces, e.g. a row.
    NoticeBar* m_timesNotice; ///< Notice that the times of the recordings do not overlap.
    NoticeBar* m_clockNotice; ///< Notice with instructions while the user chooses two moments to align clocks.
    MomentAlignment* m_momentAlignment;
    Actions* m_actions;
    EditActions* m_edit;
    WindowPalette* m_palette;
    EmptyPage* m_page;
    PluginNotice* m_plugins = nullptr;
    DropOverlay* m_drop = nullptr;
    QStackedWidget* m_stack;
    QMenu* m_recent = nullptr;
    ExperimentOptions m_options;
    /// Addresses of the traces and analyses for which the list of analyses was last made; compared to detect other traces or analyses.
    std::vector<const void*> m_listedIdentities;
    SessionState m_place; ///< Selected row, stored while the timeline is replaced.
    QList<OfferedRecording> m_recordings; ///< Recordings for the user's choice; some or all of them are open.
    bool m_isFirstGroupShown = false; ///< True if showFirstOf() was called since the current traces were opened.
    QString m_sessionPath;
    std::optional<SessionState> m_pending; ///< State from the session file that is being opened; applied when its traces are known.
    std::optional<RecordingKind> m_kind; ///< Kind of the open recording, for which the layout is stored; nullopt if nothing is open.
    bool m_isFirstShown = false; ///< True once the open traces were shown (Session::firstShown).
    QString m_layoutTraces; ///< Paths of the recording that m_kind belongs to, one per line.
    PositionOptions m_position; ///< Position to go to when the opened traces are shown; empty if none.
    QPointer<PositionLink> m_link; ///< Object that moves the window to `m_position` when the traces are shown; null if none.
    QString m_subject; ///< Id of the dock view that last had the focus; empty if the time panels last had it.
    FileJob* m_report = nullptr; ///< Makes the report that the user saves; idle otherwise.
    QPointer<EventPages> m_exported; ///< Event list that is being exported, or was exported last.
    RecordActions* m_record = nullptr; ///< Dialogs and the running recording.
    FileJob* m_recordingExport = nullptr; ///< Export of the recording in another tool's format.
    /// State of the window that the user chose as the first side of a comparison, while the user chooses the second side; else nullopt.
    std::optional<SessionState> m_held;
};

} // namespace helio
