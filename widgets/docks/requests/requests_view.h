#pragma once

#include "core/waits/requests/requests.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/path_choice.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <QTimer>

#include <memory>
#include <optional>

class QComboBox;
class QMenu;
class QLabel;
class QLineEdit;
class QTreeView;

namespace helio {

class CauseLegend;
class Pill;
class RequestModel;
struct QueryProgress;

/// Dock that lists the requests of one kind: their durations by cause, and the causes that take longer in the slowest requests. Lists all
/// requests, or those of the selected thread; the latter is the default for system calls. A click goes to a request; a double click shows
/// the request's critical path. While the dock is visible, the list is updated when the timeline of the ViewContext changes.
class RequestsView : public PanelGround, public SavedViewState, public MenuProvider, public CommandProvider {
    Q_OBJECT

public:
    explicit RequestsView(ViewContext& context, QWidget* parent = nullptr);

    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }
    const RequestModel& model() const { return *m_model; }
    QString kind() const; ///< Id of the listed kind of requests; empty if there is none.
    bool isOfSelectedThread() const; ///< True if only the requests of the selected thread are listed.
    void setAligned(bool areAligned); ///< Sets whether breakdowns are drawn in time order with a common begin instead of summed by cause.
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    void fillOfferedMenus(QMenu& menu) override;
    ShownCommand shownCommand() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void updateKinds();
    int defaultKind() const;
    void showThreadSwitch();
    void followThread();
    TrackRef threadToList(const Timeline& timeline) const;
    void showOffer();
    void enableServerRequests();
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const QString& filter, std::size_t count);
    void showWords();
    QString missingKind() const;
    void showProgress();
    const RequestPath* requestAt(const QModelIndex& index) const;
    void goTo(const QModelIndex& index);
    void showPath(const QModelIndex& index);
    void showMenu(QPoint at);
    void showGroup(const PathGroup& set);
    PathGroup setOf(const std::vector<const RequestPath*>& requests, const QString& name) const;
    void compareSlowest();
    void compareWithTypical();

    ViewContext& m_context;
    QComboBox* m_kinds;
    QLineEdit* m_filter;
    Pill* m_ofThread; ///< Switch that limits the list to the selected thread.
    Pill* m_aligned;
    Pill* m_paths;
    std::shared_ptr<const QueryProgress> m_progress; ///< Progress of the running query; nullptr if none is running.
    QTimer m_progressTimer;
    bool m_areTooMany = false; ///< True if the kind has too many requests to examine all, so that the filter selects the examined ones.
    bool m_isSavedKind = false; ///< True if a session file selected m_wantedKind.
    QString m_wantedKind; ///< Id of the kind that a session file or the user selects, until the timeline has that kind.
    bool m_hasUserKind = false; ///< True if the user chose the kind; until then, the default kind of the timeline is listed.
    std::optional<bool> m_limitsToThread; ///< State of m_ofThread that the user chose; nullopt for the default of the kind.
    TrackRef m_thread; ///< Thread whose requests are listed; not valid if those of all threads are.
    Pill* m_offer; ///< Button that enables the analysis of server requests; hidden if that is not possible or already done.
    QLabel* m_words;
    RequestModel* m_model;
    QTreeView* m_lines;
    CauseLegend* m_legend;
    DebouncedQuery m_answer;
};

} // namespace helio
