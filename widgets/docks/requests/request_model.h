#pragma once

#include "core/waits/requests/requests.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/time/time_format.h"

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// A table of requests, one per line: begin, name, thread, duration, breakdown and rank.
/// Threads: UI thread.
class RequestModel : public ColumnModel<RequestPath> {
    Q_OBJECT

public:
    enum Column { Begin, Name, Thread, Length, Parts, Rank };

    explicit RequestModel(QObject* parent = nullptr);

    /// True if the request's thread and times are valid in `timeline`. False if it has other stores or clocks.
    bool isOf(const Timeline* timeline, const RequestPath& request) const;
    /// Sets requests in time order. `filter`: filter with which they were chosen. `count`: how many requests match it; `all` has the
    /// longest.
    void setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                     const QString& filter = {}, std::size_t count = 0);
    /// Lists and ranks only requests whose name or thread contains the text.
    void setFilter(const QString& text);
    /// True if the filter may match requests that are not in the model.
    bool mayLackMatches() const
    {
        return m_filter != m_queriedFilter && (m_isCut || !m_filter.contains(m_queriedFilter, Qt::CaseInsensitive));
    }
    /// Number of requests that match the filter and are shorter than all in the model, as far as known.
    std::size_t missing() const { return m_filter == m_queriedFilter ? m_missing : 0; }
    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    Duration longest() const { return m_longest; }
    bool areTooFew() const; ///< True if the listed requests are too few for a slowest 1 %.
    /// The slowest 1 %, the other requests, and the first request of median duration. The first two are empty if areTooFew().
    std::vector<const RequestPath*> slowest() const { return ranked(true); }
    std::vector<const RequestPath*> others() const { return ranked(false); }
    const RequestPath* typical() const; ///< nullptr if there are no requests.
    std::vector<const RequestPath*> listed() const; ///< All listed requests, as sorted and filtered.
    /// If true, the parts of all requests are drawn in time order from a common begin; else summed by cause.
    void setAligned(bool areAligned);
    bool areAligned() const { return m_areAligned; }
    /// Returns what takes longer in the slowest 1 % than in the others; empty if areTooFew().
    QString difference() const;

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override; ///< Titles are aligned left.

private:
    std::size_t count() const { return std::size_t(rowCount()); }
    std::size_t placeIn(const RequestPath& it) const { return std::size_t(&it - lines().data()); }
    std::size_t slowCount() const;
    std::vector<const RequestPath*> ranked(bool areSlow) const;
    void rank(const std::vector<RequestPath>& all);
    double rankOf(const RequestPath& it) const; ///< Percentage of requests that are not longer.
    bool isSlow(const RequestPath& it) const { return m_durationRanks[placeIn(it)] + slowCount() >= count(); }
    QString threadOf(const RequestPath& it) const;
    QString tipOf(const RequestPath& it) const;

    std::shared_ptr<const Timeline> m_timeline;
    static constexpr std::size_t NotListed = std::size_t(-1);
    /// Rank by duration of each request, shortest first, indexed like lines(); NotListed if the filter does not match.
    std::vector<std::size_t> m_durationRanks;
    QString m_queriedFilter; ///< Filter that all requests of the model match.
    std::size_t m_missing = 0; ///< Number of requests that match m_queriedFilter and are shorter than all of the model.
    bool m_isCut = false; ///< True if m_missing is not 0.
    Duration m_longest{};
    QString m_filter;
    bool m_areAligned = false;
    TimeFormat m_format;
};

/// Draws the breakdown of a request as a bar, on the scale of the longest request.
class RequestDelegate : public LineDelegate {
public:
    RequestDelegate(const RequestModel& model, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Tooltip of a lane: the part under the pointer.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override;
    void paintParts(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    void paintLane(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    double scaleOf(const QRect& room) const; ///< Pixels per ns.

    const RequestModel& m_model;
};

} // namespace helio
