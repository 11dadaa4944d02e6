#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/durations/function_durations.h"
#include "widgets/time/time_format.h"

namespace helio {

/// A table of the calls of a bucket, one line per call.
class CallListModel : public ColumnModel<const ListedCalls::Call*> {
    Q_OBJECT

public:
    enum Column { Begin, Length, Thread, ColumnCount };

    CallListModel();

    void setCalls(std::shared_ptr<const ListedCalls> calls); ///< nullptr for an empty table.
    void setTimeFormat(const TimeFormat& format);

    std::size_t callAt(int row) const { return placeOf(row); } ///< Index in ListedCalls::calls.
    int lineOf(std::size_t call) const; ///< -1 if the call is not listed.

private:
    std::shared_ptr<const ListedCalls> m_calls;
    TimeFormat m_format;
};

} // namespace helio
