#pragma once

#include "app/gui/analyses/xml_analyses.h"
#include "app/gui/common/actions.h"
#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/program_theme.h"
#include "app/gui/common/session_file.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/window_docks.h"

#include <QMainWindow>
#include <QPointer>

class QStackedWidget;
class QToolButton;

namespace helio {

class AnalysisFileActions;
class ClockUndo;
struct Comparison;
class DropOverlay;
class EmptyPage;
class EventPages;
class HeaderBar;
class LockStatReader;
class NoticeBar;
class PluginNotice;
class MomentAlignment;
enum class PictureFormat;
struct SampledFunction;
class StatusBar;
class TimeGraph;
class WindowPalette;

/// Main window: header, overview, time panels with docks around them, status bar. Wires these parts. Ownership: owns the pane of the
/// experiment.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Sets the options for opening traces: offsets, synchronization, store folder. Contains only analyses that do not come from files. The
    /// clocks apply only to the traces that are opened first.
    void setExperimentOptions(ExperimentOptions options);
    /// XML files of analyses, which run on every trace.
    void loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }
    AnalysisFileActions& analysisFileActions() { return *m_fileActions; }

    /// Opens traces, folders, or one session file. A copy of /proc/lock_stat among the traces is shown with them; alone, it is shown with
    /// the open experiment.
    void open(const QStringList& paths);

    /// Asks in the window whether new plug-ins may be loaded.
    void askAboutPlugins();

    ViewContext& context() { return m_pane->context(); }
    Session& session() { return m_pane->session(); }
    Actions& actions() { return *m_actions; }
    WindowDocks& docks() { return *m_docks; }

    SessionState sessionState() const;

private:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

    // Construction and the connections between the parts.
    void makeParts();
    QToolButton* addCounter(const char* view);
    void wireContext();
    void wireSession();
    void updatePage();
    static QString sampleText(); ///< Text of the button that opens the sample trace.
    void updateHeader();
    void updateTimeline();
    void updateProgress();
    void layOutFor(const Timeline& timeline);
    void updateActions();
    void showContextMenu(const QPoint& at, TrackRef row, Timestamp time);
    void fillContextMenu(QMenu& menu, TrackRef row, bool isCall);
    void addCallActions(QMenu& menu, TrackRef row);
    void addActions(QMenu& menu, std::initializer_list<const char*> ids);

    // Actions.
    void fillPalette();
    void bindFileActions();
    void openAgain(ExperimentOptions options);
    void bindGoActions();
    void bindHelpActions();
    void bindTimeActions();
    /// Returns an action that runs on the time graph with the keyboard focus, if there is one.
    std::function<void()> onGraph(std::function<void(TimeGraph&)> run);
    void fillRecentMenu();

    // Actions of the View menu.
    void bindViewActions();
    void bindPanel(TimePanel* panel);
    void bindDensity();
    void bindTimeFormat();

    // Comparisons with other traces or positions.
    void bindCompareActions();
    void compareWith(const QStringList& paths);
    void showWith(const Comparison& comparison);
    void compareShownCalls(const SampledFunction& function);
    void compareCallsOfSelected();
    void compareCalls(std::shared_ptr<const Timeline> timeline, const std::string& kind, const SampledFunction& function,
                      std::optional<TimeRange> range);
    void holdForComparison();
    void compareWithHeld();

    // The analyses in files.
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

    // Plug-ins in the plug-in folders: the notice that asks about new ones, and the use of allowed ones.
    QWidget* makePluginNotice();
    void useAllowedPlugins();

    // Actions on the clocks of the hosts.
    void bindClockActions();
    void showMomentAlignment();
    void alignAll();
    bool hasSeveralHosts();

    // Exports from the window.
    void bindExportActions();
    void exportPicture(PictureFormat format);
    void exportTable();
    void exportEvents(EventPages& pages, const QString& path);
    void copyCommand();

    // The kernel's lock statistics.
    void wireLockStat();
    QString lockStatPath() const; ///< Path of the open copy of /proc/lock_stat; empty if none.
    QStringList openedPaths() const;
    void openLockStat(const QStringList& texts);
    void openLockStatBeside(const QStringList& texts); ///< Shows the texts together with the open traces.
    void closeLockStat();
    void showLockStatAgain();
    void openLockStatSession(const SessionState& state);

    // Session files.
    void openSession(const QString& path);
    void rememberRecent(const QString& path);
    void applyPending();
    bool saveSessionTo(const QString& path);
    Status keepLastSession();
    QString filterOfEvents() const;
    QJsonObject layout() const;
    void restoreLayout(const QJsonObject& layout);
    void keepLayout();
    QString suggestedSessionPath() const;

    ProgramTheme m_theme; ///< First member: the widgets are created with its colours.
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
    NoticeBar* m_clockNotice; ///< Instruction shown while two moments are chosen.
    MomentAlignment* m_momentAlignment;
    Actions* m_actions;
    ClockUndo* m_undo;
    WindowPalette* m_palette;
    EmptyPage* m_page;
    PluginNotice* m_plugins = nullptr;
    DropOverlay* m_drop = nullptr;
    QStackedWidget* m_stack;
    QMenu* m_recent = nullptr;
    ExperimentOptions m_options;
    std::vector<const void*> m_listedIdentities; ///< Identities of the traces and analyses for which the list of analyses was made.
    SessionState m_place; ///< The selected row, while its timeline is replaced.
    QString m_sessionPath;
    std::optional<SessionState> m_pending; ///< Session file that is being opened; applied when its traces are known.
    std::optional<RecordingKind> m_kind; ///< Kind of the open recording, for which the layout is stored; nullopt if nothing is open.
    QString m_subject; ///< Id of the dock's view that had the focus last; empty if the time panels had it.
    QPointer<EventPages> m_exported; ///< List of events that is being saved, or was saved last.
    std::optional<SessionState> m_held; ///< First position of a comparison, until the user chooses the second.
};

} // namespace helio
