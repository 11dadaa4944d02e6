#pragma once

#include "core/base/result.h"

namespace helio::sql {
class Database;
}

namespace helio::fleet {

/// Adds the functions of SQL for texts of DurationDigest: digest_merge(), digest_percentile(), digest_lowest(), digest_highest() and
/// digest_count().
Status addDigestFunctions(sql::Database& database);

} // namespace helio::fleet
