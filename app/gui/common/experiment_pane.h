#pragma once

#include "app/gui/common/navigator.h"
#include "app/gui/common/session.h"
#include "widgets/timeline/panels/time_area.h"

#include <QPointer>

class QWidget;

namespace helio {

class StatusBar;

/// One experiment of a window: its session, the context that its views share, and the time panels that show it. Asks the user in dialogs of
/// the window, and reports in the window's status bar.
///
/// Ownership: the window adds area(), and optionally area().overview(), to its layout and owns these widgets from then on. Other
/// widgets that show the context, for example docks, must be destroyed before the pane. Threads: UI thread.
class ExperimentPane : public QObject {
    Q_OBJECT

public:
    /// `letter` names the pane if the window has several, for example "A"; empty if it is the only one.
    ExperimentPane(QWidget& window, StatusBar& status, const QString& letter = {});
    ~ExperimentPane() override;

    const QString& letter() const { return m_letter; }
    ViewContext& context() { return m_context; }
    TimeWindow& time() { return m_context.time(); }
    Session& session() { return m_session; }
    Navigator& navigator() { return m_navigator; }
    TimeArea& area() { return *m_area; }
    TimeAxis& axis() { return m_area->axis(); }

    /// Gives the rows the keyboard focus; hasFocus() returns whether they have it.
    void focusRows();
    bool hasFocus() const;

    bool isBeingRead() const; ///< True while the experiment is opened or read.
    /// Stops the current work: opening or reading, else a search. The stop button of the status bar does the same.
    void cancel();

    /// Makes the status bar show the visible range, the selection and the cursor of this pane. Requires: no other pane shows its times
    /// there.
    void showTimes();
    /// Shows the progress of the current work in the status bar. Returns false if there is no work.
    bool showProgress();

signals:
    void progressChanged(); ///< showProgress() would show something else.

private:
    void ask(QWidget& window);
    void wire();
    void showTimeTexts();
    QString named(const QString& work) const { return m_letter.isEmpty() ? work : work + ' ' + m_letter; }

    StatusBar& m_status;
    QString m_letter;
    ViewContext m_context;
    Session m_session;
    Navigator m_navigator;
    QPointer<TimeArea> m_area; ///< nullptr after the window has deleted it.
};

} // namespace helio
