#pragma once

#include "core/sql/open_database.h"

#include <QtGlobal>

#include <memory>
#include <utility>

namespace helio::test {

/// Returns a database over a timeline. Ends the test program if there is none.
inline std::unique_ptr<sql::Database> databaseOf(const std::shared_ptr<const Timeline>& timeline)
{
    auto database = sql::openDatabase(timeline);
    if (!database)
        qFatal("%s", database.error().what.c_str());
    return std::move(*database);
}

} // namespace helio::test
