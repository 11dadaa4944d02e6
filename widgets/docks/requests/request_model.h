#pragma once

#include "core/waits/requests/requests.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/time/time_format.h"

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// Table of requests, one per line: begin, name, thread, duration, breakdown and rank.
/// Threads: UI thread.
class RequestModel : public ColumnModel<RequestPath> {
    Q_OBJECT

public:
    enum Column { Begin, Name, Thread, Length, Parts, Rank };

    explicit RequestModel(QObject* parent = nullptr);

    /// True if the thread and the times of the request are valid in `timeline`; false if the timeline has other stores or clocks.
    bool isOf(const Timeline* timeline, const RequestPath& request) const;
    /// Sets the requests in time order. `filter`: filter with which they were queried. `count`: number of requests that match the filter;
    /// if more than `all` has, `all` contains the longest ones.
    void setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                     const QString& filter = {}, std::size_t count = 0);
    /// Sets the filter: only requests whose name or thread contains the text are listed and ranked.
    void setFilter(const QString& text);
    /// True if the filter may match requests that were not queried.
    bool mayLackMatches() const
    {
        return m_filter != m_queriedFilter && (m_isCut || !m_filter.contains(m_queriedFilter, Qt::CaseInsensitive));
    }
    /// Number of requests that match the filter but were not queried, because they are shorter than the queried ones; 0 if unknown.
    std::size_t missing() const { return m_filter == m_queriedFilter ? m_missing : 0; }
    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    Duration longest() const { return m_longest; }
    bool areTooFew() const; ///< True if too few requests are listed to distinguish the slowest 1 % from the others.
    /// Groups of listed requests: the slowest 1 %, and all others; both are empty if areTooFew().
    std::vector<const RequestPath*> slowest() const { return ranked(true); }
    std::vector<const RequestPath*> others() const { return ranked(false); }
    /// Listed requests with the name and the host of `request`, the shortest first.
    std::vector<const RequestPath*> alike(const RequestPath& request) const;
    /// First request of median duration among alike(); nullptr if there are none, or if shorter requests were not queried.
    const RequestPath* typical(const RequestPath& request) const;
    std::vector<const RequestPath*> listed() const; ///< Listed requests, filtered and sorted.
    std::vector<PathKind> causes() const; ///< Kinds of path segments in the listed requests, the kind with the most time first.
    /// Sets how breakdowns are drawn: if true, in time order with a common begin; otherwise summed by cause.
    void setAligned(bool areAligned);
    bool areAligned() const { return m_areAligned; }
    /// Returns a text that says what takes longer in the slowest 1 % than in the other requests; empty if areTooFew().
    QString difference() const;

    /// Returns the header data of ColumnModel, but aligns all titles left.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::size_t count() const { return std::size_t(rowCount()); }
    std::size_t placeIn(const RequestPath& it) const { return std::size_t(&it - lines().data()); }
    std::size_t slowCount() const;
    std::vector<const RequestPath*> ranked(bool areSlow) const;
    void rank(const std::vector<RequestPath>& all);
    double rankOf(const RequestPath& it) const; ///< Percentage of the listed requests that are not longer than `it`.
    bool isSlow(const RequestPath& it) const { return m_durationRanks[placeIn(it)] + slowCount() >= count(); }
    QString threadOf(const RequestPath& it) const;
    QString tipOf(const RequestPath& it) const;

    std::shared_ptr<const Timeline> m_timeline;
    static constexpr std::size_t NotListed = std::size_t(-1);
    /// Rank of each request by duration, the shortest first, indexed like lines(); NotListed if the filter does not match.
    std::vector<std::size_t> m_durationRanks;
    QString m_queriedFilter; ///< Filter of the query; all requests of the model match it.
    std::size_t m_missing = 0; ///< Number of requests that match m_queriedFilter but were too short for the query's result.
    bool m_isCut = false; ///< True if the query returned fewer requests than match m_queriedFilter.
    Duration m_longest{};
    QString m_filter;
    bool m_areAligned = false;
    TimeFormat m_format;
};

/// Delegate that draws the breakdown of a request as a bar, on the scale of the longest request.
class RequestDelegate : public LineDelegate {
public:
    RequestDelegate(const RequestModel& model, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Shows a tooltip for the part of the breakdown under the pointer.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override;
    void paintParts(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    void paintLane(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    double scaleOf(const QRect& room) const; ///< Returns the scale of the bars, in pixels per ns.

    const RequestModel& m_model;
};

} // namespace helio
