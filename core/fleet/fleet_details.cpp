#include "core/fleet/fleet_details.h"

#include "core/fleet/catalogue.h"
#include "core/fleet/catalogue_rows.h"

#include <algorithm>

namespace helio::fleet {

Result<FleetDetails> readDetails(const std::filesystem::path& catalogue, std::int64_t id, LatencyKind kind, const std::stop_token& stop)
{
    const auto opened = openForQueries(catalogue, stop);
    if (!opened)
        return opened.error();
    FleetDetails details;
    const std::string isIt = " WHERE trace_id = " + std::to_string(id);
    const std::string most = std::to_string(FleetTable::MostText);
    const auto query = [&](const std::string& sql, const CatalogueRows::Take& take) { return runQuery(**opened, sql, take, stop); };
    if (const Status done =
            query("SELECT finder, substr(subject, 1, " + most + "), substr(text, 1, " + most + "), substr(detail, 1, " + most
                      + "), color, substr(check_with, 1, " + most + "), explained_ns, share, occurrences FROM finding" + isIt
                      + " ORDER BY rank LIMIT " + std::to_string(FleetTrace::MostFindings),
                  [&](CatalogueRow row) {
                      DetailedFinding it;
                      for (std::string* const text : {&it.finder, &it.subject, &it.text, &it.detail, &it.color, &it.check})
                          *text = row.text();
                      it.explained = Duration(row.count().value_or(0));
                      it.share = row.share().value_or(0);
                      it.occurrences = row.count().value_or(0);
                      details.findings.push_back(std::move(it));
                  });
        !done)
        return done.error();
    if (const Status done = query("SELECT findings FROM trace WHERE id = " + std::to_string(id),
                                  [&](CatalogueRow row) { details.allFindings = row.count().value_or(0); });
        !done)
        return done.error();
    details.allFindings = std::max(details.allFindings, static_cast<std::int64_t>(details.findings.size()));
    if (const Status done = query("SELECT substr(text, 1, " + most + "), is_problem FROM quality" + isIt + " LIMIT "
                                      + std::to_string(FleetDetails::MostNotes),
                                  [&](CatalogueRow row) {
                                      std::string text = row.text();
                                      details.notes.push_back({std::move(text), row.integer().value_or(1) != 0});
                                  });
        !done)
        return done.error();
    const Status done =
        query("SELECT histogram FROM digest" + isIt + " AND kind = '" + std::string(idOf(kind)) + "' AND name = ''", [&](CatalogueRow row) {
            DurationDigest digest;
            if (digest.addText(row.text()))
                details.digest = digest;
        });
    return done ? Result(std::move(details)) : Result<FleetDetails>(done.error());
}

} // namespace helio::fleet
