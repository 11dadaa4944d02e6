#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace helio {

/// The options of a command, as its file adds them. What is added is filled when arguments are parsed and outlives that.
class OptionList {
public:
    explicit OptionList(CLI::App& app)
        : m_app(app)
    {
    }

    // An option with a value, which `type` stands for in the help.
    void value(const char* name, std::string& target, const char* type, const std::string& what);
    void value(const char* name, std::filesystem::path& target, const char* type, const std::string& what);
    void value(const char* name, std::optional<std::int64_t>& target, const char* type, const std::string& what);
    void value(const char* name, double& target, const char* type, const std::string& what);
    void value(const char* name, unsigned& target, const char* type, const std::string& what);

    void flag(const char* name, bool& target, const std::string& what);

    /// An option that takes one value, and may be there several times: what follows the value is not swallowed.
    void repeated(const char* name, std::vector<std::string>& target, const char* type, const std::string& what);
    void repeated(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// All values up to the next option. Without dashes: what stands alone.
    void list(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// An option with a value that changes nothing: it is understood because commands beside this one have it.
    void ignored(const char* name, const char* type, const std::string& what);

private:
    CLI::App& m_app;
};

} // namespace helio
