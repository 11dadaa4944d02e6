#pragma once

#include "core/waits/path/path.h"
#include "widgets/async/latest_task.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

class ViewContext;

/// Request for a critical path with the name of its thread, by which session files and other timelines identify the thread.
struct NamedPathRequest {
    int trace = -1;
    std::string view;
    std::string id; ///< Id of the thread's row.
    TimeRange range{};
    bool operator==(const NamedPathRequest&) const = default;
};

/// Critical paths that are shown together, with a common name.
struct PathGroup {
    QString name; ///< Name of the paths as a group, e.g. "the slowest 12 of 1,204 requests".
    std::vector<PathRequest> paths;
};

/// Thread and range of the critical path that the views show.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread.
class PathChoice : public QObject {
    Q_OBJECT

public:
    static PathChoice& of(ViewContext& context);

    /// Request of the shown critical path; nullopt if none is shown.
    const std::optional<PathRequest>& question() const { return m_question; }
    void setQuestion(std::optional<PathRequest> question);
    /// Requests a critical path and also shows it in the Critical path dock. `name`: its name there; by default, the thread's name.
    void show(const PathRequest& request, const QString& name = {});
    /// Requests the critical path of the thread that a row belongs to, in the selection, otherwise in the thread's lifetime. Shows a
    /// message if the row has no thread.
    void follow(TrackRef row);

    /// Returns the current request, or the request whose thread is not in the timeline yet; nullopt if there is none.
    /// Cost: that of looking up one row.
    std::optional<NamedPathRequest> named() const;
    /// Sets a request by the name of its thread. If the timeline does not have the thread, the request waits for a timeline that has it.
    void setNamed(std::optional<NamedPathRequest> named);

    /// Shows the critical paths of a group of requests together, summed by cause, until another path is requested.
    void showGroup(PathGroup set);
    /// Removes the group of paths. Must be called when the paths became invalid because the clock of the axis changed.
    void clearGroup();
    /// Group of paths that is shown together, as set by showGroup(); nullptr if no group is shown.
    const std::shared_ptr<const PathGroup>& shownGroup() const { return m_shownGroup; }
    /// Requests a comparison of two groups, which shows what the requests of `b` waited for longer than the requests of `a`.
    void compare(const PathGroup& a, const PathGroup& b) { emit comparisonWanted(a, b); }

signals:
    void changed();
    void togetherChanged();
    void comparisonWanted(const helio::PathGroup& a, const helio::PathGroup& b);

private:
    explicit PathChoice(ViewContext& context);
    void lookForThread();

    ViewContext& m_context;
    std::optional<PathRequest> m_question;
    std::shared_ptr<const PathGroup> m_shownGroup;
    std::optional<NamedPathRequest> m_wanted; ///< Request whose thread is not in the timeline yet.
    LatestTask m_job;
};

} // namespace helio
