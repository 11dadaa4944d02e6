#pragma once

#include "app/actions.h"
#include "app/desktop_theme.h"
#include "app/navigator.h"
#include "app/session.h"
#include "app/session_file.h"
#include "app/settings.h"
#include "app/window_docks.h"
#include "widgets/shell/palette_model.h"

#include <QMainWindow>
#include <QPointer>

class QStackedWidget;

namespace helio {

class EmptyPage;
class HeaderBar;
class HelpSheet;
class StatusBar;
class TimeArea;

/// The window: header, overview, time panels with docks around them, status bar. It wires the parts and owns the session.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// How traces are opened from now on: offsets, synchronization, where stores are kept.
    void setExperimentOptions(ExperimentOptions options) { m_options = std::move(options); }

    /// Traces, folders, or one session file.
    void open(const QStringList& paths);

    ViewContext& context() { return m_context; }
    Session& session() { return *m_session; }
    Actions& actions() { return *m_actions; }
    WindowDocks& docks() { return *m_docks; }

    SessionState sessionState() const;

private:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

    // main_window.cpp: construction and what the parts tell each other.
    void makeParts();
    void wireContext();
    void wireSession();
    void updateTheme();
    void updatePage();
    void focusPanels();
    void updateHeader();
    void updateStatus();
    void updateProgress();
    void updateActions();
    void showContextMenu(const QPoint& at, TrackRef row, Timestamp time);

    // main_window_actions.cpp: what the actions do.
    void bindFileActions();
    void openAgain(const ExperimentOptions& options);
    void bindViewActions();
    void bindDensity();
    void bindTimeFormat();
    void bindGoActions();
    void bindHelpActions();
    void bindTimeActions();
    void fillRecentMenu();

    // main_window_palette.cpp: the command palette's lines.
    void fillPalette();
    void fetchPaletteRows();
    std::vector<PaletteItem> itemsFor(const QString& text);
    void addFunctions(const QString& text, std::vector<PaletteItem>& items);

    // main_window_compare.cpp: what is put beside something else.
    void bindCompareActions();
    void compareWith(const QStringList& paths);
    void holdForComparison();
    void compareWithHeld();

    // main_window_session.cpp: session files.
    void openSession(const QString& path);
    void rememberRecent(const QString& path);
    void applyPending();
    bool saveSessionTo(const QString& path);
    void keepLastSession();
    QString suggestedSessionPath() const;

    Settings m_settings;
    DesktopTheme m_desktop;
    ViewContext m_context;
    Session* m_session;
    Navigator* m_navigator;
    HeaderBar* m_header;
    TimeArea* m_timeArea;
    WindowDocks* m_docks;
    Actions* m_actions;
    StatusBar* m_status;
    EmptyPage* m_page;
    QStackedWidget* m_stack;
    QPointer<HelpSheet> m_help;
    QMenu* m_recent = nullptr;
    std::shared_ptr<const PaletteItems> m_rowItems; ///< Made when the palette opens.
    std::weak_ptr<const Timeline> m_rowItemsOf;
    LatestJob m_paletteJob;
    ExperimentOptions m_options;
    QString m_sessionPath;
    std::optional<SessionState> m_pending; ///< Of the session file being opened: applied when its traces are known.
    QString m_filter;
    bool m_hasShownUntimed = false; ///< What has no times was brought to front.
    std::optional<SessionState> m_held; ///< What the next place is to be compared with.
};

} // namespace helio
